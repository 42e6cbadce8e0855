//! The session with the referee. You need not change it: the strategy is in strategy.rs.

use rmpv::{decode, encode, Value};
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// All that the strategy is told. A `Value` is indexed by key, and `Nil` where it has no such key: `view["hand"]`.
pub struct Question<'a> {
    /// The welcome of this match: game, options, seats, seed...
    #[allow(dead_code)] // the starter does not ask which game it is
    pub game: &'a Value,
    pub kind: &'a str,
    /// The table as this seat may see it; each game has its own keys (SPEC, chapter 6).
    pub view: &'a Value,
    /// Numbers, words such as "stop", or lists of numbers.
    pub options: &'a [Value],
}

/// Plays until the referee says bye or closes the input.
pub fn play(input: &mut impl BufRead, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let hello = [("type", "hello".into()), ("protocol", 1.into()), ("name", "Rust starter".into())];
    send(output, map(hello))?;
    let mut game = Value::Nil;
    while !input.fill_buf()?.is_empty() {
        let message = decode::read_value(input)?;
        match message["type"].as_str() {
            Some("welcome") => game = message,
            Some("decide") => {
                let (id, option) = (message["id"].clone(), answer(&game, &message));
                send(output, map([("type", "choice".into()), ("id", id), ("option", option)]))?;
            }
            Some("bye") => break,
            _ => {} // match_over, and whatever a later protocol may add
        }
    }
    Ok(())
}

/// If the strategy panics, the first option: that costs a move and not the seat. The panic is told on stderr.
fn answer(game: &Value, message: &Value) -> Value {
    let question = Question {
        game,
        kind: message["kind"].as_str().unwrap_or(""),
        view: &message["view"],
        options: message["options"].as_array().map_or(&[], Vec::as_slice),
    };
    let choose = AssertUnwindSafe(|| crate::strategy::choose(&question));
    catch_unwind(choose).unwrap_or_else(|_| question.options[0].clone())
}

fn send(output: &mut impl Write, message: Value) -> io::Result<()> {
    encode::write_value(output, &message)?;
    output.flush() // Rust's stdout keeps what follows the last byte 0a
}

pub fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Map(entries.map(|(key, value)| (key.into(), value)).into())
}

/// A list of numbers, such as a row; empty if the value is something else.
pub fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().map_or(vec![], |list| list.iter().filter_map(Value::as_i64).collect())
}

/// A list of lists of numbers, such as the rows.
pub fn lists(value: &Value) -> Vec<Vec<i64>> {
    value.as_array().map_or(vec![], |list| list.iter().map(numbers).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out a byte at a time, as a slow pipe may.
    struct Trickle<'a>(&'a [u8]);

    impl io::Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let end = buffer.len().min(1);
            self.0.read(&mut buffer[..end])
        }
    }

    #[test]
    fn plays_a_session_with_all_that_may_be_added_later() {
        let options = [5.into(), "stop".into(), Value::Array(vec![]), Value::Array(vec![3.into(), 104.into()])];
        let welcome = [("type", "welcome".into()), ("options", map([])), ("seed", (1u64 << 47).into())];
        let mut messages = vec![map(welcome)];
        for from in 0..options.len() {
            messages.push(map([("type", "news".into()), ("options", 3.into())]));
            messages.push(map([
                ("type", "decide".into()),
                ("id", 2147483647.into()),
                ("kind", if from == 0 { "row" } else { "new" }.into()),
                ("view", map([("rows", "of another shape".into())])),
                ("options", options[from..].to_vec().into()),
            ]));
        }
        messages.push(map([("type", "bye".into())]));
        let (mut input, mut output) = (vec![], vec![]);
        messages.iter().for_each(|message| encode::write_value(&mut input, message).unwrap());

        play(&mut io::BufReader::new(Trickle(&input)), &mut output).unwrap();

        let mut answers = output.as_slice();
        assert_eq!(decode::read_value(&mut answers).unwrap()["type"], "hello".into());
        for option in options {
            let answer = decode::read_value(&mut answers).unwrap();
            assert_eq!((&answer["id"], &answer["option"]), (&2147483647.into(), &option));
        }
        assert!(answers.is_empty());
    }
}
