// The time left for the present decision.
// A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
// unless the welcome says "clock": "wall".

const microseconds = {
  core: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  wall: () => performance.now() * 1000,
};
let now = microseconds.wall;
let end = 0;

/** Choose the clock of a match. */
export function matchBegins(welcome: { clock?: string }): void {
  now = welcome.clock === "core" ? microseconds.core : microseconds.wall;
}

/** Start the clock of a question. */
export function questionComes(decide: { time: { limit_us: number } }): void {
  end = now() + decide.time.limit_us;
}

/** Seconds that are left for the present decision, without the bank. Answer well before none is left. */
export function timeLeft(): number {
  return (end - now()) / 1e6;
}
