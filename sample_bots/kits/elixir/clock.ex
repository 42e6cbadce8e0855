# The time left for the present decision.
# A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
# unless the welcome says "clock": "wall". It comes in steps of 10 ms.
defmodule Clock do
  @doc "Chooses the clock of a match."
  def match_begins(welcome), do: Process.put(:core, welcome["clock"] == "core")

  @doc "Starts the clock of a question."
  def question_comes(decide), do: Process.put(:limit_end, now() + (get_in(decide, ["time", "limit_us"]) || 0) / 1000)

  @doc "Seconds that are left for the present decision, without the bank. Answer well before none is left."
  def time_left, do: (Process.get(:limit_end) - now()) / 1000

  defp now do
    if Process.get(:core),
      do: used(),
      else: System.monotonic_time(:millisecond)
  end

  # Linux counts in hundredths of a second. Where it does not tell, what the kernel does for the program is left out.
  defp used do
    case File.read("/proc/self/stat") do
      {:ok, text} ->
        [_, after_name] = String.split(text, ") ", parts: 2)
        [user, kernel] = after_name |> String.split() |> Enum.slice(11, 2)
        10 * (String.to_integer(user) + String.to_integer(kernel))

      _ ->
        elem(:erlang.statistics(:runtime), 0)
    end
  end
end
