# Tests of the strategy, and of reading questions by the golden vectors. Run them with: bash test.sh

source ./bot.sh

check() { # WHAT GOT EXPECTED
    [[ $2 == "$3" ]] && return
    echo "$1: expected $3, got $2" >&2
    exit 1
}

vector() { # NAME sets `line` to its JSON, as the referee sends it
    line=$(sed -n 's/^  "json": "\(.*\)\\n".*$/\1/p' "vectors/from-referee/$1.json")
    line=${line//'\"'/'"'}
    line=${line//'\\'/'\'}
}

rows=(15 11,13 8 50,51,52,53,54) heads=(2 6 1 11)
options=(1 16 60) && choose card
check "a card that fits closely is better than a sixth one" "$index" 1
options=(1 2 3 4) && choose row
check "the row with the fewest heads is taken" "$index" 2
options=(1 7 10) && choose draft
check "the highest card is drafted" "$index" 2
options=(5 6) && choose dance
check "an unknown kind gets the first option" "$index" 0

vector decide-card && read_question "$line"
check "decide-card" "$id $kind ${options[*]} / ${rows[*]} / ${heads[*]}" "1721673562 card 1 10 12 36 71 72 76 87 92 93 / 15 11 8 50 / 2 5 1 3"
vector decide-words && read_question "$line"
check "decide-words" "$id $kind ${options[*]}" "0 barter "
for name in bye match-over welcome; do
    vector "$name"
    read_question "$line" && check "$name" "a question" "none"
done
echo "tests passed"
