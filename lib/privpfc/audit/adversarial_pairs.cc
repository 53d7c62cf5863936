#include "privpfc/audit/adversarial_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "privpfc/schema/schema_reader.h"

namespace privpfc {
namespace {

using TextRow = std::vector<std::string>;

constexpr const char* kSchema = R"(
name: audit
label: {column: y, classes: ["no", "yes"], other: "no"}
attributes:
  a: {type: categorical, other: left, tree: [left, right]}
  b: {type: categorical, other: left, tree: [left, right]}
  k: {type: categorical, other: common, tree: [common, usual, rare, canary]}
  x: {type: integer, domain: [0, 7], levels: [4, 2], missing: [""]}
)";

// Most attributes have four values, so that one feature is selected and no more.
constexpr const char* kFeatureSchema = R"(
name: audit-features
label: {column: y, classes: ["no", "yes"]}
attributes:
  a: {type: categorical, other: left, tree: [left, right]}
  b: {type: categorical, other: left, tree: [left, right]}
  c: {type: categorical, other: p, tree: [p, q, r, s]}
  d: {type: categorical, other: p, tree: [p, q, r, s]}
  e: {type: categorical, other: p, tree: [p, q, r, s]}
)";

constexpr const char* kThreeClasses = R"(
name: audit-classes
label: {column: y, classes: ["no", maybe, "yes"]}
attributes:
  a: {type: categorical, other: left, tree: [left, right]}
  k: {type: categorical, other: common, tree: [common, usual, rare]}
)";

Schema schema_from(const char* text) {
  SchemaReading reading = read_schema_text(text);
  require(reading.schema.has_value(), "the audit's own schemas are sound");
  return std::move(*reading.schema);
}

void repeat(TextRows& rows, std::size_t times, const TextRow& row) {
  rows.insert(rows.end(), times, row);
}

// What an audited pair is made from.
struct Recipe {
  std::string name;
  std::string what;
  const char* schema = kSchema;
  TextRows rows;
  TextRow more;  // the row that the second table has besides
  PublishOptions options{};
  bool is_sharp = false;
};

Shares shares_of(std::uint64_t classes, std::uint64_t selection, std::uint64_t histogram) {
  Shares shares;
  shares.classes = classes;
  shares.selection = selection;
  shares.histogram = histogram;
  const std::uint64_t rest = Shares::kWhole - classes;
  shares.features = rest / 3;
  shares.selection_after_features = rest / 3;
  shares.histogram_after_features = rest - 2 * (rest / 3);
  return shares;
}

// The category tells the class, so that a grid with the categories is chosen.
TextRows telling_rows(std::size_t each) {
  TextRows rows;
  repeat(rows, each, {"left", "left", "common", "1", "no"});
  repeat(rows, each, {"right", "left", "usual", "6", "yes"});
  return rows;
}

// Two attributes that tell the class equally well; one more row speaks for one of them and against
// the other.
TextRows tied_rows(std::size_t each) {
  TextRows rows;
  repeat(rows, each, {"left", "right", "common", "1", "no"});
  repeat(rows, each, {"right", "left", "common", "1", "yes"});
  return rows;
}

// The same, wider; enough that the noise on the class counts does not matter.
TextRows tied_features() {
  constexpr std::size_t kEach = 800;
  TextRows rows;
  repeat(rows, kEach, {"left", "right", "p", "p", "p", "no"});
  repeat(rows, kEach, {"right", "left", "p", "p", "p", "yes"});
  return rows;
}

// The margin of a cell at which one row more changes the grid's score most: there the excess
// x e^(-ex) (1 + ex/2) falls fastest, at ex = 1 + sqrt(3).
std::size_t steepest_margin(Epsilon histogram) {
  const double e =
      static_cast<double>(histogram.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
  return static_cast<std::size_t>(std::clamp(std::round(2.732 / e), 1.0, 2'000.0));
}

// As many rows as bring the threshold from 2 cells to 3, less one: one row more passes the edge.
std::size_t rows_below_the_edge(Epsilon epsilon) {
  constexpr std::int64_t kMostRows = 3'000;
  const auto plan = plan_budget(epsilon, Shares(), false);
  if (!plan.ok()) return 1;
  std::int64_t rows = 1;
  while (rows < kMostRows && cell_threshold(rows + 1, plan->histogram, {}) < 3) ++rows;
  return static_cast<std::size_t>(rows);
}

TextRows edge_rows(std::size_t count) {
  TextRows rows;
  for (std::size_t i = 0; i < count; ++i) {
    static const TextRow kThree[] = {{"left", "maybe"}, {"right", "no"}, {"left", "yes"}};
    const TextRow& values = kThree[i % 3];
    static const char* const kCategories[] = {"common", "usual", "rare"};
    rows.push_back({values[0], kCategories[i % 3], values[1]});
  }
  return rows;
}

std::vector<Recipe> publish_recipes(Epsilon epsilon) {
  std::vector<Recipe> recipes;
  const auto add = [&](Recipe recipe) -> Recipe& {
    recipes.push_back(std::move(recipe));
    return recipes.back();
  };
  const TextRow canary{"left", "left", "canary", "1", "yes"};
  add({"empty", "no row at all, against one", kSchema, {}, canary});
  add({"canary", "80 rows, and one more in a cell that had none", kSchema, telling_rows(40),
       canary});
  const std::size_t edge = rows_below_the_edge(epsilon);
  add({"edge",
       fmt::format("{} rows; one more lets larger grids into the pool", edge),
       kThreeClasses,
       edge_rows(edge),
       {"left", "common", "maybe"}});
  add({"rare",
       "80 rows, and one more of a category that nobody had; all columns are published",
       kSchema,
       telling_rows(40),
       {"right", "right", "rare", "7", "no"}})
      .options.shares.columns = 20'000;
  add({"not-a-number",
       "80 rows, and one more of values that are none: NaN, an unknown category, an "
       "unknown class",
       kSchema,
       telling_rows(40),
       {"?", "", "unheard-of", "NaN", "?"}});
  add({"out-of-range",
       "80 rows, and one more beyond every domain",
       kSchema,
       telling_rows(40),
       {"right", "right", "canary", "1e309", "yes"}});
  add({"crowd",
       "400 rows of one kind, against 401",
       kSchema,
       TextRows(400, {"left", "left", "common", "1", "no"}),
       {"left", "left", "common", "1", "no"}});
  add({"tie",
       "two grids are equally good; one more row speaks for one of them",
       kSchema,
       tied_rows(20),
       {"left", "left", "common", "1", "no"}})
      .options.limits.cells = 2;
  const TextRow feature_row{"left", "left", "p", "p", "p", "no"};
  add({"features", "two attributes are equally good; features are selected", kFeatureSchema,
       tied_features(), feature_row})
      .options.limits.grids = 1;

  // One step has nearly all of epsilon.
  const auto add_sharp = [&](Recipe recipe) -> Recipe& {
    recipe.is_sharp = true;
    return add(std::move(recipe));
  };
  Recipe& classes = add_sharp({"class-counts", "nearly all of epsilon for the class counts",
                               kSchema, telling_rows(5), canary});
  classes.options.shares = shares_of(98'000, 1'000, 1'000);
  Recipe& histogram = add_sharp(
      {"histogram", "nearly all of epsilon for the histogram", kSchema, telling_rows(40), canary});
  histogram.options.shares = shares_of(1'000, 1'000, 98'000);
  const Shares for_grid = shares_of(1'000, 96'000, 3'000);
  const auto grid_plan = plan_budget(epsilon, for_grid, false);
  const std::size_t margin = grid_plan.ok() ? steepest_margin(grid_plan->histogram) : 1;
  Recipe& grid = add_sharp({"grid-selection",
                            "nearly all of epsilon for the choice of the grid",
                            kSchema,
                            tied_rows(margin),
                            {"left", "left", "common", "1", "no"}});
  grid.options.shares = for_grid;
  grid.options.limits.cells = 2;
  Recipe& feature =
      add_sharp({"feature-selection", "nearly all of epsilon for the choice of features",
                 kFeatureSchema, tied_features(), feature_row});
  feature.options.limits.grids = 1;
  feature.options.limits.cells =
      2;  // more would let a second feature in, and share epsilon with it
  feature.options.shares = shares_of(3'000, 48'500, 48'500);
  feature.options.shares.features = 95'000;
  feature.options.shares.selection_after_features = 1'000;
  feature.options.shares.histogram_after_features = 1'000;
  Recipe& columns = add_sharp({"columns",
                               "nearly all of epsilon for the columns beside the grid",
                               kThreeClasses,
                               {},
                               {"left", "common", "maybe"}});
  columns.options.shares.columns = 98'000;
  return recipes;
}

Result<NeighbourTables> tables_of(const Recipe& recipe, const Schema& schema,
                                  const FeatureSpace& space) {
  TextRows rows = recipe.rows;
  NeighbourTables tables;
  PRIVPFC_ASSIGN(tables.without, encode_texts(rows, schema, space));
  rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2), recipe.more);
  PRIVPFC_ASSIGN(tables.with, encode_texts(rows, schema, space));
  PRIVPFC_ASSIGN(tables.row, row_apart(tables.without, tables.with));
  return tables;
}

Result<NeighbourTables> tables_of(const PairSource& source, const Schema& schema,
                                  const FeatureSpace& space) {
  NeighbourTables tables;
  PRIVPFC_ASSIGN(tables.without,
                 load_audit_table(source.first, schema, space, source.ignore_extra_columns));
  PRIVPFC_ASSIGN(tables.with,
                 load_audit_table(source.second, schema, space, source.ignore_extra_columns));
  PRIVPFC_ASSIGN(tables.row, row_apart(tables.without, tables.with));
  if (tables.row.is_in_first) std::swap(tables.without, tables.with);
  return tables;
}

Result<FeatureSpace> plain_space(const Schema& schema) {
  return make_feature_space(schema, plain_views(schema));
}

constexpr const char* kPublisher = "privpfc";

}  // namespace

Result<std::vector<AuditPair>> publish_pairs(Epsilon epsilon) {
  std::vector<AuditPair> pairs;
  for (const Recipe& recipe : publish_recipes(epsilon)) {
    PRIVPFC_TRY(check_publish_options(recipe.options, epsilon));
    const Schema schema = schema_from(recipe.schema);
    PRIVPFC_ASSIGN(const FeatureSpace space, plain_space(schema));
    PRIVPFC_ASSIGN(NeighbourTables tables, tables_of(recipe, schema, space));
    pairs.push_back({kPublisher, recipe.name, recipe.what, recipe.is_sharp,
                     publish_subject(schema, std::move(tables), recipe.options, epsilon)});
  }
  return pairs;
}

Result<std::vector<AuditPair>> direct_pairs(std::shared_ptr<const DirectMethod> method,
                                            Epsilon epsilon) {
  const TextRow canary{"right", "right", "canary", "7", "yes"};
  const std::vector<Recipe> recipes{
      {"empty", "no row at all, against one", kSchema, {}, canary},
      {"canary", "30 rows, and one more of values that nobody had", kSchema, telling_rows(15),
       canary},
      {"against",
       "30 rows, and one more that contradicts them",
       kSchema,
       telling_rows(15),
       {"left", "left", "common", "0", "yes"}},
      {"not-a-number",
       "30 rows, and one more of values that are none",
       kSchema,
       telling_rows(15),
       {"?", "", "unheard-of", "NaN", "?"}},
  };
  std::vector<AuditPair> pairs;
  const auto add = [&](const Recipe& recipe, const Schema& schema) -> Status {
    PRIVPFC_ASSIGN(const FeatureSpace space, method_space(*method, schema, epsilon));
    PRIVPFC_ASSIGN(NeighbourTables tables, tables_of(recipe, schema, space));
    PRIVPFC_ASSIGN(std::unique_ptr<AuditSubject> subject,
                   direct_subject(method, schema, std::move(tables), epsilon));
    pairs.push_back({std::string(method->name()), recipe.name, recipe.what, recipe.is_sharp,
                     std::move(subject)});
    return {};
  };
  Schema schema = schema_from(kSchema);
  for (const Recipe& recipe : recipes) PRIVPFC_TRY(add(recipe, schema));

  // Where no attribute is used, one count of the classes is all that naive Bayes or a tree is made
  // of. A forest divides its epsilon among its trees, or the row among them, all the same.
  for (Attribute& attribute : schema.attributes) attribute.used = false;
  Recipe label{
      "label", "no row against one; the label alone has all of epsilon", kSchema, {}, canary};
  label.is_sharp = method->model() == ModelKind::kNaiveBayes || method->model() == ModelKind::kTree;
  const Status added = add(label, schema);
  // Some need attributes, and say so.
  if (!added.ok() && added.error().kind != ErrorKind::kUsage) return added.error();
  return pairs;
}

Result<AuditPair> publish_pair_of(const PairSource& source, const Schema& schema, Epsilon epsilon) {
  const PublishOptions options;
  PRIVPFC_TRY(check_publish_options(options, epsilon));
  PRIVPFC_ASSIGN(const FeatureSpace space, plain_space(schema));
  PRIVPFC_ASSIGN(NeighbourTables tables, tables_of(source, schema, space));
  return AuditPair{kPublisher, source.name, fmt::format("{} and {}", source.first, source.second),
                   false, publish_subject(schema, std::move(tables), options, epsilon)};
}

Result<AuditPair> direct_pair_of(const PairSource& source, const Schema& schema,
                                 std::shared_ptr<const DirectMethod> method, Epsilon epsilon) {
  PRIVPFC_ASSIGN(const FeatureSpace space, method_space(*method, schema, epsilon));
  PRIVPFC_ASSIGN(NeighbourTables tables, tables_of(source, schema, space));
  std::string name(method->name());
  PRIVPFC_ASSIGN(std::unique_ptr<AuditSubject> subject,
                 direct_subject(std::move(method), schema, std::move(tables), epsilon));
  return AuditPair{std::move(name), source.name,
                   fmt::format("{} and {}", source.first, source.second), false,
                   std::move(subject)};
}

}  // namespace privpfc
