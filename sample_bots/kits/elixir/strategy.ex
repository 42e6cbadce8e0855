# The strategy: change this file, and print whatever you like.
defmodule Strategy do
  @doc "Returns one of the options. The first is always legal, also in games and kinds of decisions that are not known yet."
  def choose("card", view, options), do: Enum.min_by(options, &risk(&1, view))
  def choose("row", view, options), do: Enum.min_by(options, &Enum.at(view["row_heads"], &1 - 1))
  # The highest card, because low cards take rows.
  def choose("draft", _view, options), do: List.last(options)
  def choose(_kind, _view, [first | _]), do: first

  # The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it.
  defp risk(card, %{"rows" => rows, "row_heads" => heads}) do
    Enum.zip(rows, heads)
    |> Enum.filter(fn {row, _} -> List.last(row) < card end)
    |> Enum.max_by(fn {row, _} -> List.last(row) end, fn -> :fits_nowhere end)
    |> case do
      :fits_nowhere -> 100 * Enum.min(heads)
      {row, _} when length(row) < 5 -> (card - List.last(row)) * length(row)
      {_, heads} -> 100 * heads
    end
  end
end
