(* Tests of the strategy and of the session. Run them with: make test *)
let check about expected got =
  if expected <> got then failwith (Printf.sprintf "%s: expected %s, got %s" about expected got)

let answer kind view options =
  let json = Yojson.Safe.from_string in
  Yojson.Safe.to_string (Strategy.choose kind (json view) (Yojson.Safe.Util.to_list (json options)))

let test_strategy () =
  let view = {|{"rows": [[15], [11, 13], [8], [50, 51, 52, 53, 54]], "row_heads": [2, 6, 1, 11]}|} in
  check "a card that fits closely is better than a sixth one" "16" (answer "card" view "[1, 16, 60]");
  check "the row with the fewest heads is taken" "3" (answer "row" view "[1, 2, 3, 4]");
  check "the highest card is drafted" "10" (answer "draft" "{}" "[1, 7, 10]");
  check "an unknown kind gets the first option" "[]" (answer "dance" "{}" "[[], [5]]")

(* A session with all that may be added later. *)
let test_session () =
  let options = ["5"; {|"stop"|}; "[]"; "[3,104]"] in
  let from_referee, to_bot = Unix.pipe () and from_bot, to_referee = Unix.pipe () in
  let referee = Unix.out_channel_of_descr to_bot and bot = Unix.out_channel_of_descr to_referee in
  Printf.fprintf referee {|{"type":"welcome","options":{},"seed":140737488355328}%s|} "\n";
  let ask option =
    Printf.fprintf referee "{\"type\":\"news\",\"options\":3}\r\n \n";
    Printf.fprintf referee {|{"type":"decide","id":2147483647,"kind":"new","view":{"rows":7},"options":[%s,1],"new":null}%s|} option "\n"
  in
  List.iter ask options;
  output_string referee "{\"type\":\"bye\"}\n{";
  close_out referee;
  Session.run (Unix.in_channel_of_descr from_referee) bot;
  close_out bot;
  let answers = Unix.in_channel_of_descr from_bot in
  ignore (input_line answers);
  let expect option =
    check "an option goes back as it came" (Printf.sprintf {|{"type":"choice","id":2147483647,"option":%s}|} option) (input_line answers)
  in
  List.iter expect options

let () = test_strategy (); test_session ()
