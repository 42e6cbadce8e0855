# Tests of the strategy, of the session, and of the codec by the golden vectors in vectors/.
ExUnit.start()

defmodule StrategyTest do
  use ExUnit.Case, async: true

  @view %{"rows" => [[15], [11, 13], [8], [50, 51, 52, 53, 54]], "row_heads" => [2, 6, 1, 11]}

  test "a card that fits closely is better than a sixth one" do
    assert Strategy.choose("card", @view, [1, 16, 60]) == 16
  end

  test "the row with the fewest heads is taken" do
    assert Strategy.choose("row", @view, [1, 2, 3, 4]) == 3
  end

  test "the highest card is drafted" do
    assert Strategy.choose("draft", %{}, [1, 7, 10]) == 10
  end

  test "an unknown kind gets the first option" do
    assert Strategy.choose("dance", %{}, [[], [5]]) == []
  end
end

defmodule SessionTest do
  use ExUnit.Case, async: true

  test "what may be added later is ignored" do
    assert Session.react(%{"type" => "news", "options" => 3}) == :ignore
    assert Session.react(%{"type" => "bye", "new" => nil}) == :stop
  end

  test "an option goes back as it came" do
    for option <- [5, "stop", [], [3, 104]] do
      decide = %{
        "type" => "decide",
        "id" => 0x7FFFFFFF,
        "kind" => "new",
        "view" => %{"rows" => 7},
        "options" => [option]
      }

      assert {:answer, answer} = Session.react(Map.put(decide, "new", 1))
      assert answer |> Msgpack.encode() |> IO.iodata_to_binary() |> Msgpack.decode() == answer
      assert answer == %{"type" => "choice", "id" => 0x7FFFFFFF, "option" => option}
    end
  end
end

defmodule VectorsTest do
  use ExUnit.Case, async: true

  for path <- Path.wildcard("vectors/from-*/*.json") do
    test path do
      file = evaluated(File.read!(unquote(path)))

      assert file["msgpack"] |> Base.decode16!(case: :lower) |> Msgpack.decode() ==
               file["message"]

      if String.contains?(unquote(path), "from-bot") do
        assert file["message"] |> Msgpack.encode() |> IO.iodata_to_binary() |> Msgpack.decode() ==
                 file["message"]
      end
    end
  end

  test "there are vectors", do: assert(length(Path.wildcard("vectors/from-referee/*.json")) > 5)

  # These files are Elixir but for a few signs.
  defp evaluated(json) do
    elixir = json |> String.replace("{", "%{") |> String.replace("null", "nil")
    {value, []} = Regex.replace(~r/("(?:[^"\\]|\\.)*"):/, elixir, "\\1 =>") |> Code.eval_string()
    value
  end
end
