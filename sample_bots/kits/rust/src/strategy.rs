use crate::session::{lists, numbers, Question};
use rmpv::Value;

/// Answers a question with one of its options. Your idea goes here.
///
/// The starter plays the card that takes the fewest heads if it is placed now, and of those the one closest to its row.
/// Of the rows it takes the cheapest. To anything else it answers with the first option, which is always legal.
pub fn choose(question: &Question) -> Value {
    let (rows, heads) = (lists(&question.view["rows"]), numbers(&question.view["row_heads"]));
    let options = question.options.iter();
    let best = match question.kind {
        "card" => options.min_by_key(|card| price(card.as_i64().unwrap_or(0), &rows, &heads)),
        "row" => options.min_by_key(|row| row.as_u64().and_then(|row| heads.get(row as usize - 1))),
        _ => None,
    };
    best.unwrap_or(&question.options[0]).clone()
}

/// What it costs to place a card now: the heads it takes, and how far it is from the end of its row.
fn price(card: i64, rows: &[Vec<i64>], heads: &[i64]) -> (i64, i64) {
    let ends = rows.iter().map(|row| row.last().copied().unwrap_or(0));
    let homes = ends.zip(rows).zip(heads).filter(|((end, _), _)| *end < card);
    match homes.map(|((end, row), heads)| (card - end, row.len(), *heads)).min() {
        Some((gap, 5, heads)) => (heads, gap), // the sixth card takes the other five
        Some((gap, _, _)) => (0, gap),
        None => (heads.iter().min().copied().unwrap_or(0), 0), // fits nowhere: we may choose the row to take
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::map;

    fn answer(kind: &str, options: &[i64]) -> Value {
        let rows: Vec<Value> = [&[1, 2, 3, 4, 5][..], &[20], &[40], &[60]].iter().map(|row| list(row)).collect();
        let view = map([("rows", rows.into()), ("row_heads", list(&[6, 3, 4, 5]))]);
        let options: Vec<Value> = options.iter().map(|number| (*number).into()).collect();
        choose(&Question { game: &Value::Nil, kind, view: &view, options: &options })
    }

    fn list(numbers: &[i64]) -> Value {
        Value::Array(numbers.iter().map(|number| (*number).into()).collect())
    }

    #[test]
    fn plays_the_closest_card_that_takes_nothing() {
        assert_eq!(answer("card", &[7, 35, 63, 90]), 63.into());
        assert_eq!(answer("card", &[7, 39]), 39.into());
    }

    #[test]
    fn takes_the_cheapest_row() {
        assert_eq!(answer("row", &[1, 2, 3, 4]), 2.into());
    }

    #[test]
    fn answers_what_it_does_not_know_with_the_first_option() {
        assert_eq!(answer("knit", &[9, 5]), 9.into());
    }
}
