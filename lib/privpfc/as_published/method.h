#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/classifiers/model.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// A classifier trained as its paper says, mistakes included, so that the sound form can be compared
// with it. It sees the rows as they are and draws floating-point noise from a seed. Nothing that it
// makes may be passed on: no command that writes a release or a private model can reach this room,
// and a test sees to it.
class PublishedMethod {
 public:
  PublishedMethod() = default;
  virtual ~PublishedMethod() = default;
  PublishedMethod(const PublishedMethod&) = delete;
  PublishedMethod& operator=(const PublishedMethod&) = delete;

  virtual std::string_view name() const = 0;     // ends in "-as-published"
  virtual std::string_view summary() const = 0;  // one line, for people
  virtual std::string_view source() const = 0;   // the paper
  virtual std::string_view reality() const = 0;  // what it really guarantees: "not private: ..."
  virtual ModelKind model() const = 0;

  virtual std::vector<AttributeView> views(const Schema& schema, double epsilon) const = 0;

  // The same rows and seed give the same model. Refuses (kData, kUsage) what the paper cannot do.
  virtual Result<std::unique_ptr<Model>> train(const Dataset& rows, const Schema& schema,
                                               const FeatureSpace& space, double epsilon,
                                               std::uint64_t seed) const = 0;
};

// Every one of them, in the order in which people see them. A new one is a file of its own and a
// line in methods.cc.
std::vector<std::unique_ptr<PublishedMethod>> published_methods();

}  // namespace privpfc
