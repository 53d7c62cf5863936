#include "privpfc/classifiers/histogram.h"

#include <algorithm>
#include <cmath>

#include "privpfc/classifiers/model_json.h"

namespace privpfc {

namespace {

using Cell = std::vector<std::uint16_t>;

// How a number becomes a bin, by feature; no bins for categories.
std::vector<Bins> bins_of(const FeatureSpace& space) {
  std::vector<Bins> bins;
  for (const Feature& feature : space.features) {
    bins.push_back(feature.is_number() ? feature.bins : Bins{});
  }
  return bins;
}

void find_cell(const std::vector<Bins>& bins, const Rows& rows, std::size_t i, Cell& cell) {
  for (std::size_t f = 0; f < bins.size(); ++f) {
    const FeatureColumn& column = rows.columns[f];
    cell[f] = bins[f].edges.empty() ? column.codes[i] : bin_of(bins[f], column.numbers[i]);
  }
}

std::uint8_t largest(const std::vector<double>& shares) {
  return largest_class(shares.data(), shares.size());
}

class Histogram final : public Model {
 public:
  Histogram(const FeatureSpace& space, CellVerdict elsewhere, HistogramCells cells)
      : bins_(bins_of(space)), elsewhere_(std::move(elsewhere)), cells_(std::move(cells)) {}

  ModelKind kind() const override { return ModelKind::kHistogram; }

  void predict(const Rows& rows, std::size_t begin, std::size_t end,
               Predictions& out) const override {
    Cell cell(bins_.size());
    for (std::size_t i = begin; i < end; ++i) {
      find_cell(bins_, rows, i, cell);
      const auto found = cells_.find(cell);
      const CellVerdict& verdict = found == cells_.end() ? elsewhere_ : found->second;
      out.labels[i] = verdict.label;
      std::copy(verdict.shares.begin(), verdict.shares.end(), out.row(i));
    }
  }

  std::string parameters() const override {
    Json cells = Json::array();
    for (const auto& [cell, verdict] : cells_) {
      Json entry{{"cell", cell}, {"shares", verdict.shares}};
      if (verdict.label != largest(verdict.shares)) entry["class"] = verdict.label;
      cells.push_back(std::move(entry));
    }
    return Json{{"elsewhere", elsewhere_.shares}, {"cells", std::move(cells)}}.dump();
  }

 private:
  std::vector<Bins> bins_;
  CellVerdict elsewhere_;
  HistogramCells cells_;
};

// The most frequent class, and the classes' shares.
CellVerdict verdict_of(std::vector<double> weights) {
  double total = 0;
  for (const double weight : weights) total += weight;
  for (double& weight : weights) weight /= total;
  return {largest(weights), std::move(weights)};
}

Result<Cell> read_cell(const FeatureSpace& space, const Json& entry) {
  PRIVPFC_ASSIGN(const Json* codes,
                 json_list(entry, "cell", space.features.size(), space.features.size()));
  Cell cell;
  for (std::size_t f = 0; f < codes->size(); ++f) {
    const Feature& feature = space.features[f];
    const std::size_t count =
        feature.is_number() ? feature.bins.count() : feature.categories.size();
    const Json& code = (*codes)[f];
    if (!code.is_number_unsigned() ||
        (code.get<std::uint64_t>() >= count && code.get<std::uint64_t>() != kMissingCode)) {
      return bad_model(fmt::format("a cell has no such code for '{}'", feature.name));
    }
    cell.push_back(static_cast<std::uint16_t>(code.get<std::uint64_t>()));
  }
  return cell;
}

}  // namespace

std::uint16_t bin_of(const Bins& bins, double number) {
  if (std::isnan(number)) return kMissingCode;
  const auto inner_begin = bins.edges.begin() + 1;
  const auto inner_end = bins.edges.end() - 1;
  const auto above = bins.holds_upper_end ? std::lower_bound(inner_begin, inner_end, number)
                                          : std::upper_bound(inner_begin, inner_end, number);
  return static_cast<std::uint16_t>(above - inner_begin);
}

Result<std::unique_ptr<Model>> train_histogram(const FeatureSpace& space, const Dataset& data) {
  const std::vector<Bins> bins = bins_of(space);
  std::map<Cell, std::vector<double>> cells;
  Cell cell(bins.size());
  for (std::size_t i = 0; i < data.count(); ++i) {
    if (!(data.weights[i] > 0)) continue;
    find_cell(bins, data.rows, i, cell);
    std::vector<double>& weights = cells[cell];
    weights.resize(space.class_count(), 0);
    weights[data.labels[i]] += data.weights[i];
  }
  HistogramCells verdicts;
  for (auto& [key, weights] : cells) verdicts.emplace(key, verdict_of(std::move(weights)));
  return make_histogram(space, verdict_of(class_weights(data, space.class_count())),
                        std::move(verdicts));
}

std::unique_ptr<Model> make_histogram(const FeatureSpace& space, CellVerdict elsewhere,
                                      HistogramCells cells) {
  require(elsewhere.label == largest(elsewhere.shares),
          "elsewhere: the class of the largest share");
  return std::make_unique<Histogram>(space, std::move(elsewhere), std::move(cells));
}

Result<std::unique_ptr<Model>> read_histogram(const FeatureSpace& space,
                                              std::string_view parameters) {
  const Json json = Json::parse(parameters, nullptr, false);
  PRIVPFC_ASSIGN(const Json* elsewhere_list, json_member(json, "elsewhere"));
  PRIVPFC_ASSIGN(std::vector<double> elsewhere,
                 shares_of(*elsewhere_list, "elsewhere", space.class_count()));
  PRIVPFC_ASSIGN(const Json* list, json_list(json, "cells", 0, 100'000'000));
  HistogramCells cells;
  for (const Json& entry : *list) {
    PRIVPFC_ASSIGN(Cell cell, read_cell(space, entry));
    PRIVPFC_ASSIGN(const Json* share_list, json_member(entry, "shares"));
    PRIVPFC_ASSIGN(std::vector<double> shares,
                   shares_of(*share_list, "shares", space.class_count()));
    std::size_t label = largest(shares);
    if (entry.contains("class")) {
      PRIVPFC_ASSIGN(label, json_index(entry, "class", space.class_count()));
    }
    CellVerdict verdict{static_cast<std::uint8_t>(label), std::move(shares)};
    if (!cells.emplace(std::move(cell), std::move(verdict)).second) {
      return bad_model("a cell is named twice");
    }
  }
  const std::uint8_t label = largest(elsewhere);
  return make_histogram(space, {label, std::move(elsewhere)}, std::move(cells));
}

}  // namespace privpfc
