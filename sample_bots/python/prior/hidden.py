"""The decks of the games, and the cards a bot cannot see."""

from collections import Counter
from random import Random
from typing import Any

Message = dict[str, Any]

HEADS = [7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in range(105)]


def deck(match: Message) -> Counter[int]:
    """All cards that may be in a hand, and how often each exists."""
    game, options = match["game"], match["options"]
    if game in ("tactics", "logic", "tournament") or options.get("tactics"):
        return Counter(range(1, 10 * match["seats"] + 5))
    if game == "eleven":
        return Counter(range(1, 101))
    cards = Counter(range(2 if game == "open" else 1, 105))
    if game == "double":
        cards.update(range(11, 100, 11) if options["doublets"] else range(1, 105))
    return cards


def unseen(match: Message, view: Message) -> list[int]:
    """The cards that may be in an unknown hand."""
    cards = deck(match)
    known = [hand for seat, hand in enumerate(view.get("known", [])) if seat != view["seat"]]
    shared = [taken for _, _, taken in view.get("shared", [])]
    open_cards = (*view.get("rows", []), *view.get("stacks", []), *view.get("piles", []), view.get("taken", []))
    for group in (view["hand"], *known, *shared, *open_cards, [card for _, card in view.get("played", [])]):
        cards.subtract(group)
    return list(cards.elements())


def guess_hands(view: Message, hidden: list[int], random: Random) -> tuple[list[list[int]], list[int]]:
    """All hands by seat, their unknown cards dealt from `hidden`, and the cards left over."""
    random.shuffle(hidden)
    hands, at = [], 0
    for seat, known in enumerate(view["known"]):
        end = at if seat == view["seat"] else at + view["hand_sizes"][seat] - len(known)
        hands.append(view["hand"] if seat == view["seat"] else [*known, *hidden[at:end]])
        at = end
    return hands, hidden[at:]
