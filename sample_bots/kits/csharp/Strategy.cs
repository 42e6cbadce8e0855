// The strategy: change this file, and print whatever you like.
using System;
using System.Collections.Generic;
using System.Json;
using System.Linq;

static class Strategy
{
    /// Returns one of the options. The first is always legal, also in games and kinds of decisions that are not known yet.
    public static JsonValue Choose(string kind, JsonValue view, IList<JsonValue> options)
    {
        switch (kind)
        {
            case "card": return Least(options, card => Risk(card, view));
            case "row": return Least(options, row => view["row_heads"][row - 1]);
            case "draft": return options[options.Count - 1]; // the highest card, because low cards take rows
            default: return options[0];
        }
    }

    /// The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it.
    static int Risk(int card, JsonValue view)
    {
        var heads = Numbers(view["row_heads"]);
        var rows = ((JsonArray)view["rows"]).Select(Numbers).ToList();
        var below = rows.Where(row => row.Last() < card).OrderBy(row => row.Last());
        if (!below.Any()) return 100 * heads.Min();
        var home = below.Last();
        return home.Count < 5 ? (card - home.Last()) * home.Count : 100 * heads[rows.IndexOf(home)];
    }

    static List<int> Numbers(JsonValue list) => ((JsonArray)list).Select(number => (int)number).ToList();

    static JsonValue Least(IList<JsonValue> options, Func<int, int> cost) => options.OrderBy(option => cost(option)).First();
}
