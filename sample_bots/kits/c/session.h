#pragma once

#include "msgpack.h"

#include <stdio.h>

/* In strategy.c. */
size_t choose(value kind, value view, value options);

/* In clock.c: choose the clock of a match, and start that of a question. */
void match_begins(value welcome);
void question_comes(value decide);

/* Seconds that are left for the present decision, without the bank. Answer well before none is left. */
double time_left(void);

/* Plays until the referee says bye or closes the input. Returns false if something else ended it. */
bool play(FILE *input, FILE *output);
