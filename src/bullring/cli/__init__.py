"""The command `bullring`: commands in wings by what people do; a module holds a command and what belongs to it.

    play/       play, watch and read matches: games, match, play, replay, rules, watch
    bots/       write, check and submit a bot; also the group `bullring bots`
    ladder/     the group `bullring ladder`, and `worker`
    study/      find out what is true of bots: analyse, duel, gauge; also `ladder analyse`
    support/    doctor, docs, verify, completion

`program` finds commands and turns errors into exit codes; `options` and `values` declare what several commands share; `late` lets
the imports that a command needs only to run wait until it does.
"""
