// The session with the referee: reads questions from stdin and writes answers to stdout, one JSON object a line.
using System;
using System.IO;
using System.Json;

static class Bot
{
    static void Main()
    {
        var output = Console.Out;
        Console.SetOut(Console.Error); // stdout belongs to the protocol: Console.WriteLine is for your own log
        Play(Console.In, output);
    }

    public static void Play(TextReader input, TextWriter output)
    {
        Send(output, new JsonObject { ["type"] = "hello", ["protocol"] = 1, ["name"] = "C# kit" });
        for (string line; (line = input.ReadLine()) != null;)
        {
            if (line.Trim() == "") continue;
            var message = JsonValue.Parse(line);
            switch ((string)message["type"])
            {
                case "welcome":
                    Clock.MatchBegins(message);
                    break;
                case "decide":
                    Clock.QuestionComes(message);
                    var options = (JsonArray)message["options"]; // a list here, but a map in a welcome
                    var option = Strategy.Choose(message["kind"], message["view"], options);
                    Send(output, new JsonObject { ["type"] = "choice", ["id"] = message["id"], ["option"] = option });
                    break;
                case "bye":
                    return;
            }
        }
    }

    static void Send(TextWriter output, JsonObject message)
    {
        output.WriteLine(message.ToString());
        output.Flush(); // or it may wait in a buffer
    }
}
