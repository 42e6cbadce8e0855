(* The session with the referee: reads questions and writes answers, one JSON object a line. *)
open Yojson.Safe.Util

let send output message =
  output_string output (Yojson.Safe.to_string message ^ "\n");
  flush output

let answer decide =
  let kind = to_string (member "kind" decide) in
  let options = to_list (member "options" decide) in
  `Assoc [
    ("type", `String "choice");
    ("id", member "id" decide);
    ("option", Strategy.choose kind (member "view" decide) options);
  ]

let rec play input output =
  match String.trim (input_line input) with
  | exception End_of_file -> ()
  | "" -> play input output
  | line ->
    let message = Yojson.Safe.from_string line in
    match to_string (member "type" message) with
    | "bye" -> ()
    | "decide" -> Clock.question_comes message; send output (answer message); play input output
    | _ -> play input output

let run input output =
  send output (`Assoc [("type", `String "hello"); ("protocol", `Int 1); ("name", `String "OCaml kit")]);
  play input output
