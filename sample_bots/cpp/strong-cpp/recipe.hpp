// What was tuned in the games of four rows. README.md says what each is worth.
#pragma once

struct Recipe {
    float rivals_keenness = 1;  // in playouts, how surely the others play the likeliest card: 0 by chance, 1 as their habits were measured
    float own_keenness = 2.5;   // the same for me
    float rivals_heads = 0;     // what a head of the rivals, on average, counts against one of mine
};
