#pragma once

#include "msgpack.h"

#include <stdio.h>

/* In strategy.c. */
size_t choose(value kind, value view, value options);

/* Plays until the referee says bye or closes the input. Returns false if something else ended it. */
bool play(FILE *input, FILE *output);
