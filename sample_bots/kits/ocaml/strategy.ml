(* The strategy: change this file, and log with prerr_endline whatever you like. *)
open Yojson.Safe.Util

let numbers list = convert_each to_int list
let last row = List.nth row (List.length row - 1)

(* The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it. *)
let risk view card =
  let heads = numbers (member "row_heads" view) in
  let rows = List.combine (convert_each numbers (member "rows" view)) heads in
  let below = List.filter (fun (row, _) -> last row < card) rows in
  let highest_first (one, _) (other, _) = compare (last other) (last one) in
  match List.sort highest_first below with
  | [] -> 100 * List.fold_left min max_int heads
  | (row, _) :: _ when List.length row < 5 -> (card - last row) * List.length row
  | (_, heads) :: _ -> 100 * heads

let least cost options =
  let cheaper best option = if cost (to_int option) < cost (to_int best) then option else best in
  List.fold_left cheaper (List.hd options) options

(* Returns one of the options. The first is always legal, also in games and kinds of decisions that are not known yet. *)
let choose kind view options =
  match kind with
  | "card" -> least (risk view) options
  | "row" -> least (fun row -> List.nth (numbers (member "row_heads" view)) (row - 1)) options
  | "draft" -> last options (* the highest card, because low cards take rows *)
  | _ -> List.hd options
