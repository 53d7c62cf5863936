#pragma once

#include "privpfc/as_published/method.h"

namespace privpfc {

struct PublishedText {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  std::string_view reality;
};

// What every published method says about itself.
class NamedPublishedMethod : public PublishedMethod {
 public:
  NamedPublishedMethod(const PublishedText& text, ModelKind model) : text_(text), model_(model) {}

  std::string_view name() const override { return text_.name; }
  std::string_view summary() const override { return text_.summary; }
  std::string_view source() const override { return text_.source; }
  std::string_view reality() const override { return text_.reality; }
  ModelKind model() const override { return model_; }

 private:
  PublishedText text_;
  ModelKind model_;
};

}  // namespace privpfc
