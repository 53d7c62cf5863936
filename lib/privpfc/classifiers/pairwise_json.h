#pragma once

// For the sources of this room only: the parts that the files of both kinds of SVM share.

#include "privpfc/classifiers/input_vectors.h"
#include "privpfc/classifiers/model_json.h"
#include "privpfc/classifiers/pairwise.h"

namespace privpfc {

inline Json scaling_json(const InputMap& map) {
  Json list = Json::array();
  for (const InputMap::Number& number : map.numbers()) {
    list.push_back({{"shift", number.shift}, {"scale", number.scale}});
  }
  return list;
}

inline Result<InputMap> read_scaling(const FeatureSpace& space, const Json& json) {
  std::size_t numeric = 0;
  for (const Feature& feature : space.features) numeric += feature.is_number() ? 1 : 0;
  PRIVPFC_ASSIGN(const Json* list, json_list(json, "scaling", numeric, numeric));
  std::vector<InputMap::Number> numbers;
  for (const Json& entry : *list) {
    InputMap::Number& number = numbers.emplace_back();
    PRIVPFC_ASSIGN(number.shift, json_number(entry, "shift"));
    PRIVPFC_ASSIGN(number.scale, json_number(entry, "scale"));
  }
  return InputMap(space, std::move(numbers));
}

inline Json sigmoid_json(const Sigmoid& sigmoid) {
  return Json::array({sigmoid.slope, sigmoid.offset});
}

inline Result<Sigmoid> read_sigmoid(const Json& json) {
  PRIVPFC_ASSIGN(const std::vector<double> values, json_numbers(json, "sigmoid", 2));
  return Sigmoid{values[0], values[1]};
}

}  // namespace privpfc
