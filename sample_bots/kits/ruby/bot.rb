# The session with the referee: reads questions from stdin and writes answers to stdout.

require "json"
require_relative "clock"
require_relative "strategy"

REFEREE = $stdout.dup
REFEREE.sync = true
$stdout = $stderr # stdout belongs to the protocol: puts is for your own log

def tell(message)
  REFEREE.write(JSON.generate(message), "\n")
end

tell(type: "hello", protocol: 1, name: "Ruby")
while (line = $stdin.gets)
  message = JSON.parse(line)
  case message["type"]
  when "welcome"
    Clock.match_begins(message)
    puts "#{message["game"]}: seat #{message["seat"]} of #{message["seats"]}"
  when "decide"
    Clock.question_comes(message)
    tell(type: "choice", id: message["id"], option: choose(message["kind"], message["view"], message["options"]))
  when "bye"
    break
  end
end
