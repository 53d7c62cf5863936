#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/classifiers/model.h"
#include "privpfc/privacy/budget.h"
#include "privpfc/privacy/mechanisms.h"
#include "privpfc/privacy/private.h"
#include "privpfc/privacy/released.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// One classifier, trained on private rows under differential privacy: the model is the release.

enum class Guarantee { kPure, kApproximate };

// What is known before a row is read.
struct DirectSetting {
  const Schema& schema;
  const FeatureSpace& space;  // made from the views that the method asked for
  unsigned threads = 1;       // changes nothing but the time
};

// A method with its options (all public, all with defaults).
class DirectMethod {
 public:
  DirectMethod() = default;
  virtual ~DirectMethod() = default;
  DirectMethod(const DirectMethod&) = delete;
  DirectMethod& operator=(const DirectMethod&) = delete;

  virtual std::string_view name() const = 0;     // "nb-laplace"
  virtual std::string_view summary() const = 0;  // one line, for people
  virtual std::string_view source() const = 0;   // the paper that it comes from
  virtual ModelKind model() const = 0;           // the kind that comes out
  virtual Guarantee guarantee() const { return Guarantee::kPure; }

  // What it costs besides epsilon; nothing for what is pure.
  virtual Delta delta() const { return {}; }

  // How it sees the attributes: a matter of the schema and epsilon alone.
  virtual std::vector<AttributeView> views(const Schema& schema, Epsilon epsilon) const = 0;

  // What can be refused before a budget is withdrawn.
  virtual Status check(const DirectSetting& setting, Epsilon epsilon) const = 0;

  // Spends the whole budget, which holds delta(). Requires check(). `rows` have weight 1 each, in
  // any order, with any values that fit the space; there may be none at all.
  virtual Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows,
                                                 const DirectSetting& setting,
                                                 Mechanisms& mechanisms, Budget budget) const = 0;
};

}  // namespace privpfc
