// Finds the best of some options by playouts.
#pragma once

#include <functional>

#include "playouts.hpp"

// The share of the budget that is spent, given how many playouts were made; 1 or more: stop.
using Spent = std::function<double(long playouts)>;

// The index of the best option. After each part of the budget the worse half of the options is dropped, and any that is far behind.
int best_option(const std::vector<json::Value>& options, Playouts& playouts, Random& random, const Spent& spent);
