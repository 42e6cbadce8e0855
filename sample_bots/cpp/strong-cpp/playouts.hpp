// What a bot asks playouts of any game.
#pragma once

#include <memory>

#include "hidden.hpp"
#include "recipe.hpp"

class Playouts {
public:
    virtual ~Playouts() = default;

    // Deals the hidden cards at random.
    virtual void guess(Random& random) = 0;

    // What I lose by choosing this option, less is better, if the cards are as guessed and everybody then plays on.
    virtual double loss(const json::Value& option, Random& random) = 0;
};

// Playouts for one question. Null if this game or kind of question is not known.
std::unique_ptr<Playouts> playouts_of(const json::Value& match, const std::string& kind, const json::Value& view);

// The same for the games in one file each.
std::unique_ptr<Playouts> row_playouts(const json::Value& match, const std::string& kind, const json::Value& view,
                                       const Recipe& recipe = {});
std::unique_ptr<Playouts> hand_playouts(const json::Value& match, const std::string& kind, const json::Value& view);
std::unique_ptr<Playouts> eleven_playouts(const json::Value& match, const std::string& kind, const json::Value& view);
