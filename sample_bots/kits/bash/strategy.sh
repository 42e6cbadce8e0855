# The strategy: change this file, and print whatever you like with `>&2`.

# choose KIND sets `index` to the place of an option, counted from 0. The first is always legal, also in games and kinds of
# decisions that are not known yet. It may look at
#   options  the options, if all of them are numbers: (1 16 60)
#   rows     the four rows, cards with commas between them: (15 11,13 8 50,51)
#   heads    the heads in each row: (2 6 1 7)
#   question the whole line, for everything else
choose() {
    local at cost least=1000000
    index=0
    for at in "${!options[@]}"; do
        case $1 in
            card) risk "${options[at]}" ;;
            row) cost=${heads[options[at] - 1]} ;;
            draft) cost=$((-options[at])) ;; # the highest card, because low cards take rows
            *) return ;;
        esac
        if ((cost < least)); then
            least=$cost index=$at
        fi
    done
}

# risk CARD sets `cost` in hundredths of a head: what the card takes now, or how likely others fill its row before it.
risk() {
    local at best=-1 end last=0 row
    for at in "${!rows[@]}"; do
        end=${rows[at]##*,}
        if ((end < $1 && end > last)); then
            best=$at last=$end
        fi
    done
    if ((best < 0)); then
        cost=$((100 * heads[0]))
        for at in "${heads[@]}"; do
            ((100 * at >= cost)) || cost=$((100 * at))
        done
        return
    fi
    IFS=, read -ra row <<<"${rows[best]}"
    if ((${#row[@]} >= 5)); then
        cost=$((100 * heads[best]))
    else
        cost=$((($1 - last) * ${#row[@]}))
    fi
}
