# The session with the referee: reads questions from stdin and writes answers to stdout. Needs nothing but Bash.
# The referee writes JSON without spaces, one message a line, so patterns can find what matters. Answers name their option by its
# place, which spares copying it. `echo` to >&2 for your own log.

source ./clock.sh
source ./strategy.sh

# read_question LINE sets id, kind, options, rows and heads. Fails if the line asks nothing.
read_question() {
    question=$1 options=() rows=() heads=()
    [[ $question =~ '"type":"decide"' && $question =~ '"id":'([0-9]+) ]] || return
    id=${BASH_REMATCH[1]}
    [[ $question =~ '"kind":"'([a-z]+) ]] && kind=${BASH_REMATCH[1]}
    [[ $question =~ '"options":['([0-9,]+)']' ]] && IFS=, read -ra options <<<"${BASH_REMATCH[1]}"
    local view=${question#*'"view":'}
    [[ $view =~ '"rows":[['([][0-9,]+)']]' ]] && read -ra rows <<<"${BASH_REMATCH[1]//'],['/ }"
    [[ $view =~ '"row_heads":['([0-9,]+)']' ]] && IFS=, read -ra heads <<<"${BASH_REMATCH[1]}"
    return 0
}

main() {
    local line
    echo '{"type":"hello","protocol":1,"name":"Bash"}'
    while read -r line; do
        if [[ $line == *'"type":"welcome"'* ]]; then
            match_begins "$line"
        elif read_question "$line"; then
            question_comes "$line"
            choose "$kind"
            echo "{\"type\":\"choice\",\"id\":$id,\"index\":$index}"
        fi
    done
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    main
fi
