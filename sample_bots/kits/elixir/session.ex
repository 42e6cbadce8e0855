# The session with the referee: reads questions from stdin and writes answers to stdout.
defmodule Session do
  def main do
    # stdout belongs to the protocol: what is printed goes to stderr.
    Process.group_leader(self(), Process.whereis(:standard_error))
    # `packet: 4` is the length in front of each message: the port takes it off, and puts it on.
    port = Port.open({:fd, 0, 1}, [:binary, :eof, packet: 4])
    send_message(port, %{"type" => "hello", "protocol" => 1, "name" => "Elixir kit"})
    play(port)
    System.halt()
  end

  defp play(port) do
    receive do
      {^port, {:data, bytes}} ->
        case react(Msgpack.decode(bytes)) do
          {:answer, message} ->
            send_message(port, message)
            play(port)

          :ignore ->
            play(port)

          :stop ->
            :ok
        end

      {^port, :eof} ->
        :ok
    end
  end

  def react(%{"type" => "welcome"} = welcome) do
    Clock.match_begins(welcome)
    :ignore
  end

  def react(
        %{
          "type" => "decide",
          "id" => id,
          "kind" => kind,
          "view" => view,
          "options" => options
        } = decide
      ) do
    Clock.question_comes(decide)
    {:answer, %{"type" => "choice", "id" => id, "option" => Strategy.choose(kind, view, options)}}
  end

  def react(%{"type" => "bye"}), do: :stop
  def react(_), do: :ignore

  defp send_message(port, message), do: Port.command(port, Msgpack.encode(message))
end
