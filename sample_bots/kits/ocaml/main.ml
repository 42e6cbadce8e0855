(* stdout belongs to the protocol: use prerr_endline for your own log. *)
let () = Session.run stdin stdout
