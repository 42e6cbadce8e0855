mod clock;
mod session;
mod strategy;

use std::io::{stdin, stdout, BufReader};
use std::process::exit;

fn main() {
    if let Err(error) = session::play(strategy::choose, &mut BufReader::new(stdin()), &mut stdout()) {
        eprintln!("the session failed: {error}"); // println! would speak to the referee
        exit(1);
    }
}
