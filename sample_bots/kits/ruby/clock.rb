# The time left for the present decision.
# A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
# unless the welcome says "clock": "wall".

module Clock
  @clock = Process::CLOCK_MONOTONIC
  @end = 0.0

  # Chooses the clock of a match.
  def self.match_begins(welcome)
    @clock = welcome["clock"] == "core" ? Process::CLOCK_PROCESS_CPUTIME_ID : Process::CLOCK_MONOTONIC
  end

  # Starts the clock of a question.
  def self.question_comes(decide)
    @end = Process.clock_gettime(@clock) + decide["time"]["limit_us"] / 1e6
  end

  # Seconds that are left for the present decision, without the bank. Answer well before none is left.
  def self.time_left
    @end - Process.clock_gettime(@clock)
  end
end
