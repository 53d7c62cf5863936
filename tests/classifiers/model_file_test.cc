#include "privpfc/classifiers/model_file.h"

#include "classifiers/generated.h"
#include "privpfc/classifiers/forest.h"
#include "privpfc/classifiers/naive_bayes.h"
#include "privpfc/classifiers/train.h"
#include "privpfc/classifiers/tree.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

constexpr ModelKind kKinds[] = {ModelKind::kNaiveBayes, ModelKind::kSvm,      ModelKind::kLinearSvm,
                                ModelKind::kTree,       ModelKind::kLogistic, ModelKind::kHistogram,
                                ModelKind::kMajority,   ModelKind::kForest};

SavedModel trained(ModelKind kind, std::size_t classes, std::size_t rows = 200) {
  SavedModel saved;
  saved.schema = generated_schema(classes);
  saved.views = plain_views(saved.schema);
  saved.space = *make_feature_space(saved.schema, saved.views);
  saved.guarantee = kNotPrivate;
  TrainOptions options;
  options.svm.probability_folds = 2;
  if (kind == ModelKind::kForest) {
    std::vector<Cart> trees;
    for (const std::uint64_t seed : {111U, 112U, 113U}) {
      const Dataset data = generated_data(classes, rows, seed);
      Cart cart = grow_cart(saved.space, data, data.weights, {});
      for (CartNode& node : cart) {
        double total = 0;
        for (const double weight : node.class_weights) total += weight;
        for (double& weight : node.class_weights) weight /= total;
      }
      trees.push_back(std::move(cart));
    }
    saved.model = make_forest(std::move(trees), classes == 2 ? Combine::kVotes : Combine::kShares);
    return saved;
  }
  auto model = train(kind, saved.space, generated_data(classes, rows, 111), options);
  REQUIRE(model.ok());
  saved.model = *std::move(model);
  return saved;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a model that was written and read predicts the same, to the last bit") {
  for (const std::size_t classes : {2U, 3U}) {
    const Dataset fresh = generated_data(classes, 500, 112);
    for (const ModelKind kind : kKinds) {
      CAPTURE(model_name(kind));
      const SavedModel saved = trained(kind, classes);
      const std::string text = write_model(saved);
      const auto read = read_model(text);
      REQUIRE_MESSAGE(read.ok(), read.error().message);
      CHECK(read->guarantee == saved.guarantee);
      CHECK(read->schema == saved.schema);
      CHECK(read->views == saved.views);
      const Predictions a = predict_rows(*saved.model, fresh.rows, classes, 1);
      const Predictions b = predict_rows(*read->model, fresh.rows, classes, 1);
      CHECK(a.labels == b.labels);
      CHECK(a.probabilities == b.probabilities);
      CHECK(write_model(*read) == text);
    }
  }
}

TEST_CASE("a model for another schema is refused, with both names") {
  const SavedModel saved = trained(ModelKind::kMajority, 2);
  CHECK(check_model_fits(saved, generated_schema(2)).ok());
  Schema other = generated_schema(3);
  other.name = "elsewhere";
  const Status status = check_model_fits(saved, other);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().kind == ErrorKind::kSchema);
  CHECK(status.error().message.find("'generated'") != std::string::npos);
  CHECK(status.error().message.find("'elsewhere'") != std::string::npos);
}

TEST_CASE("a schema that was changed inside the file is noticed") {
  const std::string text = write_model(trained(ModelKind::kTree, 2));
  const auto read = read_model(replaced(text, "name: generated", "name: tampered_"));
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().kind == ErrorKind::kSchema);
  CHECK(read.error().message.find("schema_hash") != std::string::npos);
}

TEST_CASE("what is no model, or one of another version, is refused") {
  const std::string text = write_model(trained(ModelKind::kMajority, 2));
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"), std::string("{}"),
        std::string(100'000, '['), std::string("\xff\xfe"), text.substr(0, text.size() / 2),
        replaced(text, "privpfc-model", "other"),
        replaced(text, "\"version\": 1", "\"version\": 2"),
        replaced(text, "\"version\": 1", "\"version\": -1"),
        replaced(text, "\"majority\"", "\"tree\""), replaced(text, "\"majority\"", "\"oracle\""),
        replaced(text, "\"parameters\"", "\"other\"")}) {
    const auto read = read_model(bad);
    REQUIRE_FALSE(read.ok());
  }
}

TEST_CASE("indices, shares and numbers are checked") {
  const std::string tree = write_model(trained(ModelKind::kTree, 2));
  CHECK(tree.find("\"yes\":1") != std::string::npos);
  CHECK_FALSE(read_model(replaced(tree, "\"yes\":1", "\"yes\":0")).ok());  // a circle
  CHECK_FALSE(read_model(replaced(tree, "\"yes\":1", "\"yes\":4000000000")).ok());
  CHECK_FALSE(read_model(replaced(tree, "\"feature\":", "\"feature\":7")).ok());
  const std::string majority = write_model(trained(ModelKind::kMajority, 2));
  CHECK_FALSE(read_model(replaced(majority, "\"shares\":[0.", "\"shares\":[9.")).ok());
  CHECK_FALSE(read_model(replaced(majority, "\"shares\":[0.", "\"shares\":[1e999, 0.")).ok());
}

TEST_CASE("a file with anything cut out, put in or turned round is read or refused, never more") {
  // The schema's text is long and checked by a hash, so the damage is done to the rest.
  Random random(113);
  const Dataset fresh = generated_data(3, 20, 114);
  std::size_t read_anyway = 0;
  for (const ModelKind kind : kKinds) {
    const std::string text = write_model(trained(kind, 3, 40));
    const std::size_t from = text.find("\"features\"");
    for (int round = 0; round < 150; ++round) {
      std::string damaged = text;
      for (std::size_t change = 0; change <= random.below(3); ++change) {
        const std::size_t at = from + random.below(damaged.size() - from);
        switch (random.below(4)) {
          case 0:
            damaged.erase(at, 1 + random.below(20));
            break;
          case 1:
            damaged[at] = "0123456789-[]{}\",ent.\n"[random.below(22)];
            break;
          case 2:
            damaged.insert(at, std::string("9"));
            break;
          default:
            damaged.insert(at, damaged.substr(from + random.below(damaged.size() - from), 8));
        }
      }
      const auto read = read_model(damaged);
      if (!read.ok()) continue;
      ++read_anyway;
      predict_rows(*read->model, fresh.rows, 3, 1);
    }
  }
  CHECK(read_anyway > 50);  // otherwise the models behind the first check are never used
}

TEST_CASE("no tree, forest or naive Bayes takes more bytes than was said before it was trained") {
  // Long numbers everywhere, every question with its longest answer, positions of many digits.
  constexpr double kLong = 2.2250738585072014e-308;
  for (const std::size_t classes : {2U, 5U}) {
    const Schema schema = generated_schema(classes);
    const FeatureSpace space = *make_feature_space(schema, plain_views(schema));
    for (std::uint32_t feature = 0; feature < space.features.size(); ++feature) {
      CartNode question{.class_weights = std::vector<double>(classes, kLong),
                        .left = 4'000'000'000U,
                        .right = 4'000'000'000U,
                        .feature = feature,
                        .threshold = -kLong};
      if (!space.features[feature].is_number()) {
        question.goes_left.assign(space.features[feature].categories.size(), 1);
      }
      for (const std::size_t questions : {0U, 1U, 40U}) {
        Cart cart(questions, question);
        cart.resize(2 * questions + 1, {.class_weights = std::vector<double>(classes, kLong)});
        CHECK(make_tree(cart)->parameters().size() <= most_tree_bytes(space, 1, questions));
        for (const std::size_t trees : {1U, 9U}) {
          const std::string text =
              make_forest(std::vector<Cart>(trees, cart), Combine::kShares)->parameters();
          CHECK(text.size() <= most_tree_bytes(space, trees, trees * questions));
        }
      }
    }
    NaiveBayesParameters learned;
    learned.log_priors.assign(classes, -kLong);
    for (const Feature& feature : space.features) {
      const std::vector<double> by_class(classes, -kLong);
      const std::vector<double> shares(feature.categories.size(), -kLong);
      learned.features.push_back(
          feature.is_number()
              ? NaiveBayesParameters::FeatureParameters{by_class,
                                                        std::vector<double>(classes, kLong),
                                                        {}}
              : NaiveBayesParameters::FeatureParameters{{}, {}, {classes, shares}});
    }
    CHECK(make_naive_bayes(space, learned)->parameters().size() <= most_naive_bayes_bytes(space));
  }
}

TEST_CASE("what a model may have learned and the rest of its file fit into what can be read") {
  const SavedModel saved = trained(ModelKind::kMajority, 3);
  const std::size_t learned = saved.model->parameters().size();
  const std::size_t head = write_model(saved).size() - learned;
  const std::uint64_t room = room_for_parameters(saved.schema, saved.space);
  CHECK(head + room <= kMostModelBytes);
  CHECK(head + room + 20'000 > kMostModelBytes);  // a guarantee may be long
}
