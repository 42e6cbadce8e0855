//! The session with the referee: reads questions and writes answers.

use crate::clock;
use rmpv::{decode, encode, Value};
use std::error::Error;
use std::io::{self, BufRead, Write};

/// A strategy: the kind of a decision, the view and the options, of which it returns one.
pub type Choose = for<'a> fn(&str, &Value, &'a [Value]) -> &'a Value;

/// Plays until the referee says bye or closes the input.
pub fn play(choose: Choose, input: &mut impl BufRead, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let hello = [("type", "hello".into()), ("protocol", 1.into()), ("name", "Rust kit".into())];
    send(output, map(hello))?;
    while !input.fill_buf()?.is_empty() {
        // A `Value` takes what comes: `options` is a list in a decide and a map in a welcome. Missing keys are `Nil`.
        let message = decode::read_value(input)?;
        match message["type"].as_str() {
            Some("welcome") => clock::match_begins(&message),
            Some("decide") => {
                clock::question_comes(&message);
                let options = message["options"].as_array().ok_or("a decide without a list of options")?;
                let option = choose(message["kind"].as_str().unwrap_or(""), &message["view"], options);
                let id = message["id"].clone();
                send(output, map([("type", "choice".into()), ("id", id), ("option", option.clone())]))?;
            }
            Some("bye") => break,
            _ => {}
        }
    }
    Ok(())
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
pub fn list(numbers: &[i64]) -> Value {
    Value::Array(numbers.iter().map(|number| (*number).into()).collect())
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
    fn a_session_with_all_that_may_be_added_later() {
        let options = [5.into(), "stop".into(), list(&[]), list(&[3, 104]), (1 << 20).into()];
        let welcome = [("type", "welcome".into()), ("options", map([])), ("seed", (1u64 << 47).into())];
        let mut messages = vec![map(welcome)];
        for from in 0..options.len() {
            messages.push(map([("type", "news".into()), ("options", 3.into())]));
            messages.push(map([
                ("type", "decide".into()),
                ("id", i32::MAX.into()),
                ("kind", if from == 0 { "card" } else { "new" }.into()),
                ("view", map([("rows", "of another shape".into())])),
                ("options", options[from..].to_vec().into()),
            ]));
        }
        messages.push(map([("type", "bye".into())]));
        let (mut input, mut output) = (vec![], vec![]);
        messages.iter().for_each(|message| encode::write_value(&mut input, message).unwrap());

        play(|_, _, options| &options[0], &mut io::BufReader::new(Trickle(&input)), &mut output).unwrap();

        let mut answers = output.as_slice();
        assert_eq!(decode::read_value(&mut answers).unwrap()["type"], "hello".into());
        for option in options {
            let answer = decode::read_value(&mut answers).unwrap();
            assert_eq!((&answer["id"], &answer["option"]), (&i32::MAX.into(), &option));
        }
        assert!(answers.is_empty());
    }
}
