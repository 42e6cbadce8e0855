(* The time left for the present decision.
   A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
   and OCaml's own library has no other clock: where the welcome says "clock": "wall", others' time is not noticed. *)
open Yojson.Safe.Util

let limit_end = ref 0.

(* Starts the clock of a question. *)
let question_comes decide =
  let limit = match member "time" decide with `Null -> 0. | time -> to_number (member "limit_us" time) in
  limit_end := Sys.time () +. (limit /. 1e6)

(* Seconds that are left for the present decision, without the bank. Answer well before none is left. *)
let time_left () = !limit_end -. Sys.time ()
