"""At most one bot thinks on a core, and each gets its turn."""

from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.match.clock.waves import GLANCE_US, LOOKS, SLICE_US, Waves


class Bot:
    def __init__(self, core: int = 0, *, waiting: bool = False, waited: bool = False) -> None:
        self.core = core
        self.runs = True
        self.waiting = waiting
        self.waits = waited

    def run(self, now_us: int) -> None:
        assert not self.runs
        self.runs = True

    def rest(self, now_us: int) -> None:
        assert self.runs
        self.runs = False

    def look(self) -> None:
        assert self.runs
        self.waits = self.waiting


def running(*bots: Bot) -> list[bool]:
    return [bot.runs for bot in bots]


def test_the_first_thinks_on_and_the_others_follow_one_by_one() -> None:
    waves = Waves()
    first, second, third = bots = [Bot(), Bot(), Bot()]
    for bot in bots:
        waves.join(bot, 0)
    assert [bot.runs for bot in bots] == [True, False, False]
    waves.leave(first, 1)
    assert [second.runs, third.runs] == [True, False]
    waves.leave(second, 2)
    assert third.runs


def test_each_core_has_a_thinker_of_its_own() -> None:
    waves = Waves()
    bots = [Bot(0), Bot(1), Bot(0), Bot(1)]
    for bot in bots:
        waves.join(bot, 0)
    assert [bot.runs for bot in bots] == [True, True, False, False]


def test_one_that_thinks_long_makes_room() -> None:
    waves = Waves()
    hung, quick = Bot(), Bot()
    waves.join(hung, 0)
    waves.look(SLICE_US * 3)
    assert running(hung, quick) == [True, True], "nobody waits"
    waves.join(quick, SLICE_US * 3)
    assert running(hung, quick) == [True, False]
    waves.look(SLICE_US * 4)
    assert running(hung, quick) == [False, True]
    waves.look(SLICE_US * 5 - 1)
    assert running(hung, quick) == [False, True]
    waves.leave(quick, SLICE_US * 5)
    assert hung.runs


def test_one_that_rests_may_leave() -> None:
    waves = Waves()
    first, second = Bot(), Bot()
    waves.join(first, 0)
    waves.join(second, 0)
    waves.leave(second, 1)
    waves.leave(first, 2)
    third = Bot()
    waves.join(third, 3)
    assert third.runs


def test_those_that_wait_do_so_side_by_side() -> None:
    waves = Waves()
    bots = [Bot(waiting=True), Bot(waiting=True), Bot(), Bot()]
    for bot in bots:
        waves.join(bot, 0)
    waves.look(GLANCE_US)
    waves.look(GLANCE_US * 2)
    assert running(*bots) == [True, True, True, False], "both are seen to wait, and the next one computes"
    later = Bot(waiting=True, waited=True)
    waves.join(later, GLANCE_US * 2)
    assert later.runs, "one that waited before needs no turn"
    for bot in (later, *bots):
        waves.leave(bot, GLANCE_US * 3)
    waves.look(GLANCE_US * 3)


def test_others_that_are_known_to_wait_go_on_with_the_first() -> None:
    waves = Waves()
    first, second, thinks = bots = [Bot(waiting=True), Bot(waiting=True), Bot()]
    for bot in bots:
        waves.join(bot, 0)
    second.waits = True  # it was seen at another table
    waves.look(GLANCE_US)
    assert running(*bots) == [True, True, True]
    for bot in (thinks, first, second):
        waves.leave(bot, GLANCE_US)


def test_one_that_waited_and_computes_takes_turns_like_the_others() -> None:
    waves = Waves()
    thinks, deceives = bots = [Bot(), Bot(waited=True)]
    for bot in bots:
        waves.join(bot, 0)
    assert running(*bots) == [True, True]
    waves.look(1)
    assert running(*bots) == [True, False]
    waves.leave(thinks, 2)
    assert deceives.runs


def test_a_look_costs_the_same_whatever_the_number_that_waits() -> None:
    waves, looked = Waves(), []

    class Counted(Bot):
        def look(self) -> None:
            looked.append(self)
            super().look()

    bots = [Counted(waiting=True, waited=True) for _ in range(3 * LOOKS)]
    for bot in bots:
        waves.join(bot, 0)
    for look in range(3):
        waves.look(look)
        assert len(looked) == LOOKS * (look + 1)
    assert set(looked) == set(bots), "but each has its turn"


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, SLICE_US))))
def test_whatever_happens_one_bot_that_computes_runs_on_each_core(happens: list[tuple[int, int]]) -> None:
    waves, bots, now = (
        Waves(),
        [Bot(number % 2, waiting=number in (2, 3), waited=number in (3, 4)) for number in range(8)],
        0,
    )
    thinking: set[Bot] = set()
    for number, passed in happens:
        now += passed
        bot = bots[number]
        if bot in thinking:
            thinking.discard(bot)
            waves.leave(bot, now)
        else:
            bot.runs = True
            thinking.add(bot)
            waves.join(bot, now)
        waves.look(now)
        for core in (0, 1):
            mine = [bot for bot in thinking if bot.core == core]
            assert sum(bot.runs for bot in mine if not bot.waiting and not bot.waits) <= 1
            assert any(bot.runs for bot in mine) or not mine
