// Tests of the strategy and of the session.
using System;
using System.IO;
using System.Json;
using System.Linq;

static class SelfTest
{
    static void Main()
    {
        TestStrategy();
        TestSession();
        Console.WriteLine("all is well");
    }

    static void TestStrategy()
    {
        var view = "{'rows': [[15], [11, 13], [8], [50, 51, 52, 53, 54]], 'row_heads': [2, 6, 1, 11]}";
        Check("a card that fits closely is better than a sixth one", "16", Answer("card", view, "[1, 16, 60]"));
        Check("the row with the fewest heads is taken", "3", Answer("row", view, "[1, 2, 3, 4]"));
        Check("the highest card is drafted", "10", Answer("draft", "{}", "[1, 7, 10]"));
        Check("an unknown kind gets the first option", "[]", Answer("dance", "{}", "[[], [5]]"));
    }

    static string Answer(string kind, string view, string options) =>
        Strategy.Choose(kind, Parse(view), (JsonArray)Parse(options)).ToString();

    /// A session with all that may be added later.
    static void TestSession()
    {
        var options = new[] { "5", "\"stop\"", "[]", "[3, 104]" };
        var questions = options.Select(option =>
            "{'type': 'news', 'options': 3}\r\n\n{'type': 'decide', 'id': 2147483647, 'kind': 'new', 'view': {'rows': 7}, 'new': null,"
            + " 'options': [" + option + ", 1], 'fault': '\\u00fc'}\n");
        var input = "{'type': 'welcome', 'options': {}, 'seed': 140737488355328}\n" + string.Concat(questions) + "{'type': 'bye'}\n{";
        var output = new StringWriter();
        Bot.Play(new StringReader(input.Replace('\'', '"')), output);
        var answers = output.ToString().TrimEnd().Split('\n').Skip(1).Select(JsonValue.Parse).ToList();
        Check("each question is answered", options.Length, answers.Count);
        for (var i = 0; i < options.Length; i++)
        {
            Check("the id goes back", 2147483647, (int)answers[i]["id"]);
            Check("the option goes back as it came", options[i], answers[i]["option"].ToString());
        }
    }

    static JsonValue Parse(string text) => JsonValue.Parse(text.Replace('\'', '"'));

    static void Check(string about, object expected, object got)
    {
        if (!expected.Equals(got)) throw new Exception(about + ": expected " + expected + ", got " + got);
    }
}
