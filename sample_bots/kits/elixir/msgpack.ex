# As much of msgpack as the protocol needs: maps, lists, texts, integers, floats, booleans and nil.
defmodule Msgpack do
  @doc "Exactly one value."
  def decode(bytes) do
    {value, <<>>} = take(bytes)
    value
  end

  defp take(<<0::1, n::7, rest::binary>>), do: {n, rest}
  defp take(<<0b1000::4, n::4, rest::binary>>), do: take_map(n, rest)
  defp take(<<0b1001::4, n::4, rest::binary>>), do: take_list(n, rest)
  defp take(<<0b101::3, n::5, text::binary-size(n), rest::binary>>), do: {text, rest}
  defp take(<<0xC0, rest::binary>>), do: {nil, rest}
  defp take(<<0xC2, rest::binary>>), do: {false, rest}
  defp take(<<0xC3, rest::binary>>), do: {true, rest}
  defp take(<<0xCA, number::float-32, rest::binary>>), do: {number, rest}
  defp take(<<0xCB, number::float-64, rest::binary>>), do: {number, rest}
  defp take(<<0xCC, n, rest::binary>>), do: {n, rest}
  defp take(<<0xCD, n::16, rest::binary>>), do: {n, rest}
  defp take(<<0xCE, n::32, rest::binary>>), do: {n, rest}
  defp take(<<0xCF, n::64, rest::binary>>), do: {n, rest}
  defp take(<<0xD0, n::signed-8, rest::binary>>), do: {n, rest}
  defp take(<<0xD1, n::signed-16, rest::binary>>), do: {n, rest}
  defp take(<<0xD2, n::signed-32, rest::binary>>), do: {n, rest}
  defp take(<<0xD3, n::signed-64, rest::binary>>), do: {n, rest}
  defp take(<<0xD9, n, text::binary-size(n), rest::binary>>), do: {text, rest}
  defp take(<<0xDA, n::16, text::binary-size(n), rest::binary>>), do: {text, rest}
  defp take(<<0xDB, n::32, text::binary-size(n), rest::binary>>), do: {text, rest}
  defp take(<<0xDC, n::16, rest::binary>>), do: take_list(n, rest)
  defp take(<<0xDD, n::32, rest::binary>>), do: take_list(n, rest)
  defp take(<<0xDE, n::16, rest::binary>>), do: take_map(n, rest)
  defp take(<<0xDF, n::32, rest::binary>>), do: take_map(n, rest)
  defp take(<<0b111::3, n::5, rest::binary>>), do: {n - 32, rest}

  defp take_list(0, rest), do: {[], rest}

  defp take_list(n, rest) do
    {item, rest} = take(rest)
    {items, rest} = take_list(n - 1, rest)
    {[item | items], rest}
  end

  defp take_map(n, rest) do
    {entries, rest} = take_list(2 * n, rest)
    {entries |> Enum.chunk_every(2) |> Map.new(&List.to_tuple/1), rest}
  end

  @doc "The bytes of a value, as iodata. Longer texts and lists do not occur in answers."
  def encode(n) when n in -32..127, do: <<n>>
  def encode(n) when n in -0x80000000..0x7FFFFFFF, do: <<0xD2, n::32>>

  def encode(text) when is_binary(text) and byte_size(text) < 32,
    do: [<<0b101::3, byte_size(text)::5>>, text]

  def encode(text) when is_binary(text) and byte_size(text) < 256,
    do: [<<0xD9, byte_size(text)>>, text]

  def encode(list) when is_list(list),
    do: [<<0xDC, length(list)::16>> | Enum.map(list, &encode/1)]

  def encode(map) when map_size(map) < 16,
    do: [<<0b1000::4, map_size(map)::4>> | for({k, v} <- map, do: [encode(k), encode(v)])]
end
