"""One rating over several lists of a home, such as those of a contest: every game counts the same."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace

from bullring.ladder.rating.overall import overall
from bullring.ladder.rating.superiority import of_strengths
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.outlook import Outlook
from bullring.ladder.standings.ranking import Ranking
from bullring.ladder.standings.shares import Shares
from bullring.ladder.standings.standings import Standings
from bullring.ladder.standings.zero import BASE_RATING
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store


class Overall(Ranking):
    """The bots of several lists. A bot needs matches in every list that has any: no rating can be had by leaving out a game."""

    def __init__(self, store: Store, lists: Sequence[Standings], anchor: str | None = None) -> None:
        """Rate by these lists, read in the same snapshot of the store. Raises `LadderError` if there is no such anchor."""
        super().__init__(store, anchor)
        self._lists = [one for one in lists if one.rated]
        self.title = "overall: " + ("; ".join(one.title for one in self._lists) or "nothing was played")
        games = Counter(one.list.game for one in self._lists)
        self._shares = [1 / len(games) / games[one.list.game] for one in self._lists]
        for one in self._lists:
            self._conducts.take(one.conducts)
        if estimates := [one.estimate for one in self._lists if one.estimate is not None]:
            self._estimate = overall(estimates, self._shares, self.anchor, BASE_RATING)
            self._superiority = of_strengths(self._estimate)

    @classmethod
    def of(
        cls, store: Store, lists: Sequence[ListRow], anchor: str | None = None, only: Set[int] | None = None
    ) -> "Overall":
        """Read these lists, or the `only` matches of them."""
        with store.snapshot():
            return cls(store, [Standings(store, one, only=only) for one in lists], anchor)

    def rows(self) -> list[Row]:
        """The standings, with the ratings in each list. Shares of wins at different tables are not added up."""
        ids = {row.name: row.id for row in self._bots}
        return [
            replace(row, wins=None, ratings={one.title: self._rating_in(one, ids[row.bot]) for one in self._lists})
            for row in super().rows()
        ]

    def _rating_in(self, one: Standings, bot: int) -> float | None:
        """The rating of a bot in a list: that which the list shows, or one from the anchor of all lists, if there is one."""
        rating, whole = one.rating(bot), self._estimate
        if rating is None or whole is None or whole.anchor is None:
            return rating
        return rating + float(whole.ratings[whole.anchor]) - (one.rating(self._bots[whole.anchor].id) or 0.0)

    def outlook(self) -> Outlook:
        """The sentences below the standings."""
        missing = [row.bot for row in self.rows() if row.state == "active" and row.rating is None]
        shares = dict(zip((one.title for one in self._lists), self._shares, strict=True))
        return replace(super().outlook(), overall=Shares(shares, missing))
