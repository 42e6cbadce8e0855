"""The behaviours of hostile bots, the verdict each must get, and the tiers that claim to hold it."""

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from bullring.arena.cells.sandbox.promises import Means
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.match.faults import FaultKind
from bullring.arena.settings.limits import Limits

BOTS = Path(__file__).parent / "bots"

CONTAINED = "contained"
"""The verdict of a bot whose deed came to nothing and that played on without a fault."""

REFUSED = "refused"
"""The verdict of a folder that no ladder takes."""

BENCHED = "benched"
"""The verdict of a bot that was taken and does not play, while the others do."""

C, T, X, P = CONTAINED, FaultKind.TIMEOUT, FaultKind.CRASH, FaultKind.PROTOCOL
I, O, M, S = FaultKind.ILLEGAL, FaultKind.OUTPUT, FaultKind.MEMORY, FaultKind.START  # noqa: E741

ALL = frozenset(TIERS)
"""Tiers for everything that the referee holds by itself: the wire, the clocks, the ends of programs."""
CONFINED = frozenset(name for name, tier in TIERS.items() if tier.confines)
"""Tiers that filter files and system calls."""
STRONG = frozenset(name for name, tier in TIERS.items() if tier.for_strangers)
"""Tiers with a world of its own for each bot: namespaces, and limits for all it starts together."""

CALM = Limits.seconds(start=10.0, card=5.0, row=5.0)
QUICK = Limits.seconds(start=10.0, card=0.25, row=0.25)
"""For bots that let their time pass: three strikes are less than a second."""


@dataclass(frozen=True)
class Behaviour:
    """One of the programs in `bots`."""

    number: int
    what: str
    """For the matrix, one line."""
    verdicts: Collection[str]
    """Any of these will do: `CONTAINED`, or kinds of faults."""
    tiers: Collection[str]
    """Those that claim to hold it; of the others nothing is said."""
    ways: tuple[str, ...] = ("",)
    """The words that tell the bot its way; a match for each."""
    wire: bool = False
    """Whether the decoder alone holds it: all ways are tried in tier `none`, and in the others the first."""
    limits: Limits = CALM
    pair: bool = False
    """Whether two copies sit at the table: one sends, one receives."""
    slow: int = 0
    """Milliseconds that an honest rival thinks for a card, or twice as many for every other one."""
    freeze: bool = False
    """Whether bots are frozen outside their decisions."""
    needs: Means | None = None
    """Without which no machine holds it."""
    matches: int = 1
    """Played one after the other, with a fresh process for each."""
    says: str = ""
    """Words that its author must be told with each fault."""
    bot_name: str = "hostile"
    submitted: bool = field(default=False, kw_only=True)
    """Whether it is not a program at a table, but one that makes a bot's folder and hands it in: see `submitting`. All ways are
    tried in tier `none`, and in the others the first, unless it is `played`."""
    goes_on: bool = field(default=False, kw_only=True)
    """Whether the author goes on changing the folder that was handed in."""
    played: bool = field(default=False, kw_only=True)
    """Whether what was handed in is played, too."""
    changes: bool = field(default=False, kw_only=True)
    """Whether the copy changes after a first run."""
    survives: bool = field(default=False, kw_only=True)
    """Whether the referee is killed in the middle, and the next one must tidy up."""

    @property
    def program(self) -> Path:
        """The file."""
        (found,) = BOTS.glob(f"{self.number:02}_*.py")
        return found

    @property
    def name(self) -> str:
        """Number and name, as the file has them."""
        return self.program.stem


ODD_NAME = "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>\r\n::error::[red]"

BEHAVIOURS = (
    Behaviour(1, "writes to /, /usr, its own and others' folders", {C}, CONFINED),
    Behaviour(2, "writes a big file to /dev", {C}, CONFINED),
    Behaviour(3, "fills its box, shared memory and /tmp", {C}, CONFINED),
    Behaviour(4, "a hundred thousand empty files", {C, M}, CONFINED),
    Behaviour(5, "reads the ladder's home, the arena, a rival's code", {C}, CONFINED),
    Behaviour(6, "inherited descriptors, the host through /proc", {C}, CONFINED),
    Behaviour(7, "giant files, sparse and real", {C, X}, CONFINED),
    Behaviour(8, "a tree 3000 deep, unreadable folders, links to the root", {C}, CONFINED),
    Behaviour(9, "changes its code, leaves a message for its next match", {C}, CONFINED, matches=2),
    Behaviour(10, "connects to the outside by TCP, UDP, DNS", {C}, CONFINED),
    Behaviour(11, "connects to services on the referee's loopback", {C}, CONFINED),
    Behaviour(12, "connects to an abstract socket", {C}, CONFINED),
    Behaviour(13, "opens a socket to the hypervisor", {C}, CONFINED),
    Behaviour(14, "netlink, packet, crypto and raw sockets", {C}, CONFINED),
    Behaviour(15, "the container engine, message bus, ssh agent", {C}, CONFINED),
    Behaviour(16, "a fork bomb", {C, T}, STRONG),
    Behaviour(17, "a thread bomb", {C, T}, STRONG),
    Behaviour(18, "leaves a daemon and ends", {X}, ALL),
    Behaviour(19, "ends while its child holds stdout", {X}, ALL),
    Behaviour(20, "ignores SIGTERM and its bye", {C}, ALL),
    Behaviour(21, "clears its death signal", {C}, ALL),
    Behaviour(22, "kills everything, guesses process numbers", {C}, STRONG),
    Behaviour(23, "ptrace and process_vm_writev on the referee", {C}, CONFINED),
    Behaviour(24, "new namespaces, mounts", {C}, CONFINED),
    Behaviour(25, "setuid programs", {C}, CONFINED),
    Behaviour(26, "leaves zombies", {C}, ALL),
    Behaviour(27, "a huge heap", {M, C}, STRONG),
    Behaviour(
        28,
        "memory in memfd, shared mappings, its box",
        {M, C},
        STRONG,
        ways=("memfd", "shared", "box"),
    ),
    Behaviour(29, "lets a child run out of memory", {C, T, M}, STRONG),
    Behaviour(30, "raises its limits, locks memory", {C}, CONFINED),
    Behaviour(31, "crashes with a big core", {X}, CONFINED),
    Behaviour(32, "an endless loop", {T}, ALL, limits=QUICK),
    Behaviour(33, "sleeps", {T}, ALL, limits=QUICK),
    Behaviour(34, "burns all cores", {C}, STRONG, limits=Limits.seconds(start=10, card=0.5, row=0.5)),
    Behaviour(35, "thinks on others' time", {C}, STRONG, slow=30, freeze=True),
    Behaviour(36, "answers just after the deadline", {T}, ALL, limits=QUICK),
    Behaviour(37, "trickles its answer byte by byte", {T}, ALL, limits=QUICK),
    Behaviour(38, "starts too slowly", {S}, ALL, limits=Limits.seconds(start=1.5, card=5, row=5)),
    Behaviour(39, "never reads", {T}, ALL, limits=QUICK),
    Behaviour(40, "sets clock, priority, cores", {C}, CONFINED),
    Behaviour(41, "garbage, 0xc1, bad UTF-8", {P}, ALL, ways=("json", "msgpack"), wire=True),
    Behaviour(
        42, "claims an array of 1e8, a text of 4 GB", {P}, ALL, ways=("array", "text", "map", "frame"), wire=True
    ),
    Behaviour(43, "nests 100000 deep", {P}, ALL, ways=("msgpack", "json", "short"), wire=True),
    Behaviour(
        44,
        "answers true, 1.0, NaN, 2^64 or two cards",
        {P, I},
        ALL,
        ways=("floats", "types", "sizes", "lists"),
        wire=True,
    ),
    Behaviour(
        45,
        "overflowing times, unhashable keys",
        {P},
        ALL,
        ways=("time", "long time", "key", "list as key", "text", "extension"),
        wire=True,
    ),
    Behaviour(46, "answers early, twice, unasked", {P}, ALL),
    Behaviour(47, "old and wrong ids", {P}, ALL),
    Behaviour(48, "floods stdout", {O}, ALL),
    Behaviour(49, "floods stderr", {O}, ALL),
    Behaviour(50, "prints to stdout", {P}, ALL, says="stderr"),
    Behaviour(51, "closes stdout and keeps running", {X, T}, ALL, limits=QUICK),
    Behaviour(52, "ends in the middle of a message", {X}, ALL),
    Behaviour(53, "sends messages through keyrings", {C}, CONFINED, pair=True),
    Behaviour(54, "sends messages through file locks", {C}, CONFINED, pair=True),
    Behaviour(55, "sends messages through inotify", {C}, CONFINED, pair=True),
    Behaviour(56, "sends messages through ports of the hypervisor's socket", {C}, CONFINED, pair=True),
    Behaviour(57, "sends messages through /tmp, shared memory, queues", {C}, CONFINED, pair=True),
    Behaviour(58, "probes the page cache", {C}, CONFINED),
    Behaviour(59, "looks for rivals' names", {C}, CONFINED),
    Behaviour(
        60,
        "times its rivals by the gaps (with --time tick)",
        {C},
        ALL,
        slow=30,
        limits=Limits.seconds(start=10, card=0.5, row=0.5, tick=0.1),
    ),
    Behaviour(61, "more load than one core (load and caches show)", {C}, STRONG),
    Behaviour(62, "reads the freeze gaps (with --freeze)", {C}, STRONG, slow=30, freeze=True),
    Behaviour(63, "types into the terminal", {C}, ALL),
    Behaviour(64, "escape sequences in names and logs", {C}, ALL, bot_name=ODD_NAME),
    Behaviour(65, "makes its streams non-blocking", {C}, ALL),
    Behaviour(66, "fills the disk with logs", {C}, ALL),
    Behaviour(67, "crashes to be restarted", {X}, ALL, matches=2),
    Behaviour(
        68,
        "tries to provoke exceptions in the parser",
        {P},
        ALL,
        ways=("numbers", "texts", "shapes", "ends"),
        wire=True,
    ),
    Behaviour(69, "fakes a failure of the machine", {T, X}, ALL, ways=("stop", "kill", "status"), limits=QUICK),
    Behaviour(70, "outlives a killed referee", {C}, STRONG, survives=True),
    Behaviour(71, "sends messages through the page cache", {C}, CONFINED, pair=True),
    Behaviour(
        72,
        "earns time by threads, children, wake-ups",
        {T},
        ALL,
        ways=("threads", "children", "unseen", "waking", "naps"),
        limits=Limits.seconds(start=10, card=0.5, row=0.5),
    ),
    Behaviour(
        73, "saves its bank by threads", {C}, ALL, limits=Limits.seconds(start=10, card=0.25, row=0.25, bank=2.0)
    ),
    Behaviour(
        74,
        "says hello at the last moment, at every match",
        {C, S},
        ALL,
        limits=Limits.seconds(start=4.0, card=5.0, row=5.0),
        matches=2,
    ),
    Behaviour(
        75,
        "memory in sockets",
        {M, C, T},
        STRONG,
        ways=("loopback", "pairs"),
    ),
    Behaviour(76, "sends messages through the number of terminals", {C}, CONFINED, pair=True),
    Behaviour(77, "sends messages through counters in /proc and /sys", {C}, CONFINED, pair=True),
    Behaviour(78, "takes the contexts for asynchronous files", {C}, CONFINED),
    Behaviour(79, "takes the memory for filters with sockets", {C}, CONFINED),
    Behaviour(
        80,
        "swaps links while its folder is copied",
        {REFUSED, C},
        ALL,
        ways=("file", "folder"),
        submitted=True,
        goes_on=True,
    ),
    Behaviour(
        81,
        "a manifest that is a bomb",
        {REFUSED},
        ALL,
        ways=("key", "table", "quoted", "arrays", "tables", "keys", "number", "hexadecimal", "string"),
        submitted=True,
    ),
    Behaviour(
        82,
        "a folder of 3 GiB, 10,100 files, 200 levels; links in circles and detours",
        {REFUSED},
        ALL,
        ways=("sparse", "many", "deep", "loop", "detours", "long", "out"),
        submitted=True,
    ),
    Behaviour(
        83,
        "names a container image that is not allowed",
        {BENCHED},
        {"docker"},
        ways=("image", "from", "argument", "copy", "mount", "rival"),
        says="which bots may not use here",
        submitted=True,
        played=True,
    ),
    Behaviour(84, "looks for its referee's name and files", {C}, STRONG),
    Behaviour(85, "files, pipes, timers, keys, mounts, queues, one after the other", {C}, CONFINED),
    Behaviour(86, "colluders at one table (bits a turn are measured)", {C}, STRONG, pair=True),
    Behaviour(
        87,
        "files that change between runs",
        {BENCHED},
        ALL,
        ways=("contents", "name", "mode", "link"),
        says="its files have changed",
        submitted=True,
        played=True,
        changes=True,
    ),
    Behaviour(
        89,
        "pipes and sockets in place of files",
        {REFUSED},
        ALL,
        ways=("manifest", "linked manifest", "file", "socket"),
        submitted=True,
    ),
    Behaviour(
        90,
        "grows while its folder is copied",
        {REFUSED, C},
        ALL,
        ways=("files", "folders", "bytes"),
        submitted=True,
        goes_on=True,
    ),
    Behaviour(91, "a hard link to another user's secret", {REFUSED}, ALL, submitted=True),
    Behaviour(92, "odd names of files", {REFUSED, C}, ALL, ways=("refused", "kept"), submitted=True),
    Behaviour(
        93,
        "patterns and a Dockerfile without end",
        {BENCHED},
        {"docker"},
        ways=("stars", "patterns", "dockerfile"),
        submitted=True,
        played=True,
    ),
    Behaviour(
        94,
        "a name that is a path",
        {REFUSED, C},
        ALL,
        ways=("up", "root", "dots", "hidden", "store", "escapes", "nothing"),
        submitted=True,
    ),
    Behaviour(95, "guesses a seed that a person chose", {C}, ALL),
    Behaviour(96, "writes lines of a record in its name, log and answers", {C}, ALL),
    Behaviour(98, "gives each answer at the last moment", {C, T}, ALL, limits=QUICK),
    Behaviour(99, "is quick at first and slow from then on", {C, T}, ALL, ways=("5",), limits=QUICK),
    Behaviour(100, "works on after its match, is slow to end", {C}, ALL, matches=2),
    Behaviour(101, "lets signals pile up", {C}, CONFINED),
    Behaviour(102, "takes the memory for filters with system calls", {C}, CONFINED),
    Behaviour(103, "takes huge pages", {C}, CONFINED),
    Behaviour(104, "secret memory that keeps the machine awake", {C}, CONFINED),
    Behaviour(105, "has its pages merged with others'", {C}, CONFINED),
    Behaviour(106, "sends messages through the numbers of process descriptors", {C}, CONFINED, pair=True),
    Behaviour(107, "has all disks written", {C}, CONFINED),
    Behaviour(108, "keeps pages in pipes", {C}, CONFINED),
    Behaviour(109, "keeps open files in messages", {C}, CONFINED),
    Behaviour(110, "sends messages through process ids", {C}, STRONG, pair=True),
    Behaviour(111, "reads and fills the kernel's log", {C}, CONFINED),
    Behaviour(112, "takes all terminals", {C}, CONFINED),
    Behaviour(113, "asks for files that do not exist", {C, M}, CONFINED),
    Behaviour(114, "changes settings of the kernel", {C}, CONFINED),
    Behaviour(115, "freezes and trims shared file systems", {C}, CONFINED),
    Behaviour(116, "makes the kernel wait for it", {C}, CONFINED),
    Behaviour(117, "counts events of the processor", {C}, CONFINED),
    Behaviour(118, "asks for handles of files and lists of mounts", {C}, CONFINED),
    Behaviour(
        119,
        "names somebody else's program by a path through /usr",
        {REFUSED},
        ALL,
        ways=("usr", "deep", "bin"),
        submitted=True,
    ),
    Behaviour(120, "reserves 2,000 GiB that it never touches", {C}, ALL),
    Behaviour(
        121,
        "computes on while it is frozen, in its first process or beside a vfork, or forks away",
        {C, X},
        {"bwrap"},
        ways=("first process", "vfork", "chain"),
        slow=50,
        freeze=True,
        needs=Means.FREEZING,
    ),
    Behaviour(
        122,
        "sends messages through numbers of eventfds and counts of mapped pages",
        {C},
        {"bwrap", "landlock"},
        pair=True,
        needs=Means.LANDLOCK,
    ),
)
