# The time left for the present decision.
# A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
# unless the welcome says "clock": "wall". It comes in steps of 10 ms, and what subshells and other programs use is not in it:
# count on less.

core="" limit_end=0

# match_begins WELCOME chooses the clock of a match.
match_begins() {
    core=""
    [[ $1 != *'"clock":"core"'* ]] || core=yes
}

# question_comes QUESTION starts the clock of a question.
question_comes() {
    local now
    _now
    limit_end=$now
    [[ ! $1 =~ '"limit_us":'([0-9]+) ]] || limit_end=$((now + BASH_REMATCH[1]))
}

# time_left sets `left` to the microseconds that are left for the present decision, without the bank. Answer well before there are
# none.
time_left() {
    local now
    _now
    left=$((limit_end - now))
}

_now() {
    now=${EPOCHREALTIME/[.,]/}
    if [[ $core ]]; then
        local used
        read -ra used <"/proc/$$/stat"
        now=$(((used[13] + used[14]) * 10000)) # of the program itself, and of the kernel for it, in hundredths of a second
    fi
}
