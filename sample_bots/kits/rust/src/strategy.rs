//! The strategy: change this file, and `eprintln!` whatever you like.

use crate::session::{lists, numbers};
use rmpv::Value;

/// Returns one of the options. The first is always legal, also in games and kinds of decisions that are not known yet.
pub fn choose<'a>(kind: &str, view: &Value, options: &'a [Value]) -> &'a Value {
    let best = match kind {
        "card" => options.iter().min_by_key(|card| risk(card, view)),
        "row" => options.iter().min_by_key(|row| heads_of(row, view)),
        "draft" => options.last(), // the highest card, because low cards take rows
        _ => None,
    };
    best.unwrap_or(&options[0])
}

/// The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it.
fn risk(card: &Value, view: &Value) -> Option<i64> {
    let (card, heads) = (card.as_i64()?, numbers(&view["row_heads"]));
    let rows = lists(&view["rows"]).into_iter().zip(&heads);
    let below = rows.filter(|(row, _)| row.last() < Some(&card));
    match below.max_by_key(|(row, _)| row.last().copied()) {
        Some((row, _)) if row.len() < 5 => Some((card - row.last()?) * row.len() as i64),
        Some((_, heads)) => Some(100 * heads),
        None => Some(100 * heads.iter().min()?),
    }
}

fn heads_of(row: &Value, view: &Value) -> Option<i64> {
    view["row_heads"].as_array()?.get(row.as_u64()? as usize - 1)?.as_i64()
}

#[cfg(test)]
mod tests {
    use super::choose;
    use crate::session::{list, map};
    use rmpv::Value;

    fn answer(kind: &str, options: &[i64]) -> Value {
        let rows = [vec![15], vec![11, 13], vec![8], vec![50, 51, 52, 53, 54]].map(|row| list(&row));
        let view = map([("rows", Value::Array(rows.into())), ("row_heads", list(&[2, 6, 1, 11]))]);
        choose(kind, &view, list(options).as_array().unwrap()).clone()
    }

    #[test]
    fn a_card_that_fits_closely_is_better_than_a_sixth_one() {
        assert_eq!(answer("card", &[1, 16, 60]), 16.into());
    }

    #[test]
    fn the_row_with_the_fewest_heads_is_taken() {
        assert_eq!(answer("row", &[1, 2, 3, 4]), 3.into());
    }

    #[test]
    fn the_highest_card_is_drafted() {
        assert_eq!(answer("draft", &[1, 7, 10]), 10.into());
    }

    #[test]
    fn an_unknown_kind_gets_the_first_option() {
        assert_eq!(answer("dance", &[9, 5]), 9.into());
    }
}
