#pragma once

// For the sources of this room only: the nodes of a tree as JSON, as in docs/models.md.

#include "privpfc/classifiers/cart.h"
#include "privpfc/classifiers/model_json.h"

namespace privpfc {

// `cart` has class shares in the place of class weights.
Json cart_nodes(const Cart& cart);

// Reads the "nodes" of `object`. `memory` counts the bytes of all trees of a model, since a short
// list of codes can stand for many categories.
Result<Cart> read_cart(const Json& object, const FeatureSpace& space, std::size_t& memory);

}  // namespace privpfc
