#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "privpfc/schema/interval.h"
#include "privpfc/schema/reading.h"

namespace privpfc::internal {
namespace {

// Without bounds when they could not be read: then it is endless, and what does not depend on them
// is checked all the same.
struct Domain {
  AttributeKind kind;
  bool has_bounds = false;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool holds_upper_end = false;  // `closed: right`

  // Where the last bin ends, in the sense of Bins::edges.
  double end() const { return is_whole(kind) ? high + 1 : high; }
};

constexpr std::size_t kMaxBins = Hierarchy::kMaxLeaves - 2;  // room for `missing` and `other`

std::optional<double> read_value(const YamlNode& node, std::string_view what, AttributeKind kind,
                                 Reading& reading) {
  if (node.is_scalar()) {
    if (const auto value = parse_value(node.scalar, kind)) return value;
    reading.error(node.at, "{}: '{}' is not {}", what, node.scalar,
                  kind == AttributeKind::kDate      ? "a date such as 2024-01-31"
                  : kind == AttributeKind::kInteger ? "a whole number"
                                                    : "a finite number");
  } else {
    reading.error(node.at, "{}: expected {}", what,
                  kind == AttributeKind::kDate ? "a date" : "a number");
  }
  return std::nullopt;
}

std::optional<std::pair<double, double>> read_bounds(const YamlNode& map, AttributeKind kind,
                                                     Reading& reading) {
  const YamlNode* node = map.find("domain");
  if (node == nullptr) {
    reading.error(map.at,
                  "domain is missing: write the public bounds, domain: [low, high]; they are never "
                  "taken from the data");
    return std::nullopt;
  }
  if (!node->is_sequence() || node->items.size() != 2) {
    reading.error(node->at, "domain should be [low, high]");
    return std::nullopt;
  }
  const auto low = read_value(node->items[0], "domain", kind, reading);
  const auto high = read_value(node->items[1], "domain", kind, reading);
  if (!low || !high) return std::nullopt;
  if (*low >= *high) {
    reading.error(node->at, "domain: the first bound should be below the second");
    return std::nullopt;
  }
  if (!std::isfinite(*high - *low)) {
    reading.limit(node->at, "domain: the bounds are too far apart");
    return std::nullopt;
  }
  return std::pair(*low, *high);
}

Domain read_domain(const YamlNode& map, AttributeKind kind, Reading& reading) {
  Domain domain{kind};
  if (const auto bounds = read_bounds(map, kind, reading)) {
    domain.has_bounds = true;
    std::tie(domain.low, domain.high) = *bounds;
  }
  if (const YamlNode* closed = map.find("closed")) {
    if (!closed->is_scalar() || (closed->scalar != "left" && closed->scalar != "right")) {
      reading.error(closed->at, "closed should be left or right");
    } else {
      domain.holds_upper_end = closed->scalar == "right";
    }
  }
  return domain;
}

// Groups the finest bins into ever coarser ones. `levels` holds edge lists, finest first, each a
// subset of the one before.
BinnedDomain nest_levels(const std::vector<std::vector<double>>& levels, const Domain& domain) {
  BinnedDomain result;
  result.bins = {levels.front(), !is_whole(domain.kind) && domain.holds_upper_end};
  struct Group {
    std::size_t begin, end;
    TreeNode node;
  };
  const auto labelled = [&](std::size_t begin, std::size_t end) {
    return TreeNode{
        format_interval(bin_interval(result.bins, begin, end, domain.kind), domain.kind), {}};
  };
  std::vector<Group> groups;
  for (std::size_t bin = 0; bin < result.bins.count(); ++bin) {
    groups.push_back({bin, bin + 1, labelled(bin, bin + 1)});
  }
  for (std::size_t level = 1; level < levels.size(); ++level) {
    std::vector<Group> coarser;
    std::size_t next_edge = 0;
    for (Group& group : groups) {
      if (next_edge < levels[level].size() &&
          result.bins.edges[group.begin] == levels[level][next_edge]) {
        coarser.push_back({group.begin, group.end, {}});
        ++next_edge;
      }
      coarser.back().end = group.end;
      coarser.back().node.children.push_back(std::move(group.node));
    }
    for (Group& group : coarser) {
      TreeNode node = labelled(group.begin, group.end);
      // A single bin ends early. A group that this level leaves whole stays a node of its own, or
      // the bins below it would move up into this level.
      if (group.node.children.size() == 1 && group.node.children.front().children.empty()) {
        node = std::move(group.node.children.front());
      } else {
        node.children = std::move(group.node.children);
      }
      group.node = std::move(node);
    }
    groups = std::move(coarser);
  }
  for (Group& group : groups) result.tree.push_back(std::move(group.node));
  return result;
}

std::optional<BinnedDomain> read_equal_widths(const YamlNode& node, const Domain& domain,
                                              Reading& reading) {
  if (!node.is_sequence() || node.items.empty()) {
    reading.error(node.at, "levels should be a list of numbers of bins, finest first: [16, 8, 4]");
    return std::nullopt;
  }
  bool fine = true;
  std::vector<std::size_t> counts;
  for (const YamlNode& item : node.items) {
    std::size_t count = 0;
    const char* end = item.scalar.data() + item.scalar.size();
    const auto [stopped, code] = std::from_chars(item.scalar.data(), end, count);
    if (!item.is_scalar() || code != std::errc() || stopped != end || count < 2) {
      reading.error(item.at, "levels: a number of bins is a whole number of at least 2");
      fine = false;
      continue;
    }
    if (count > kMaxBins) {
      reading.limit(item.at, "levels: more than {} bins", kMaxBins);
      fine = false;
    }
    if (!counts.empty() && counts.back() == count) {
      reading.error(item.at, "levels: {} bins are listed twice; each level should be coarser",
                    count);
      fine = false;
    } else if (!counts.empty() && (counts.back() < count || counts.back() % count != 0)) {
      reading.error(item.at,
                    "levels: {} bins cannot be put together from {} equal ones; each "
                    "number should divide the one before it",
                    count, counts.back());
      fine = false;
    }
    counts.push_back(count);
  }
  if (!fine || !domain.has_bounds) return std::nullopt;
  const double finest = static_cast<double>(counts.front());
  if (is_whole(domain.kind) && domain.end() - domain.low < finest) {
    reading.error(node.items.front().at, "levels: {} bins for a domain of {} values",
                  counts.front(), domain.end() - domain.low);
    return std::nullopt;
  }
  const double width = domain.end() - domain.low;
  std::vector<double> edges;
  for (std::size_t i = 0; i <= counts.front(); ++i) {
    if (is_whole(domain.kind)) {
      // In whole numbers, so that no edge is off by one.
      const auto offset = static_cast<unsigned __int128>(width) * i / counts.front();
      edges.push_back(domain.low + static_cast<double>(static_cast<std::uint64_t>(offset)));
    } else {
      edges.push_back(domain.low + width * static_cast<double>(i) / finest);
    }
  }
  edges.back() = domain.end();
  if (std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) != edges.end()) {
    reading.error(node.at, "levels: the bins are too narrow to be told apart");
    return std::nullopt;
  }
  std::vector<std::vector<double>> levels;
  for (const std::size_t count : counts) {
    std::vector<double> level;
    for (std::size_t i = 0; i <= count; ++i) level.push_back(edges[i * (counts.front() / count)]);
    levels.push_back(std::move(level));
  }
  return nest_levels(levels, domain);
}

std::optional<BinnedDomain> read_cuts(const YamlNode& node, const Domain& domain,
                                      Reading& reading) {
  if (!node.is_sequence() || node.items.empty()) {
    reading.error(node.at, "cuts should be a list of cut points, or a list of such lists");
    return std::nullopt;
  }
  std::vector<const YamlNode*> lists;
  if (node.items.front().is_sequence()) {
    for (const YamlNode& item : node.items) lists.push_back(&item);
  } else {
    lists.push_back(&node);
  }
  bool fine = true;
  std::vector<std::vector<double>> levels;
  for (const YamlNode* list : lists) {
    if (!list->is_sequence() || list->items.empty()) {
      reading.error(list->at, "cuts: expected a list of cut points");
      fine = false;
      continue;
    }
    std::vector<double> edges{domain.low};
    std::optional<double> last;
    for (const YamlNode& item : list->items) {
      const auto value = read_value(item, "cuts", domain.kind, reading);
      if (!value) {
        fine = false;
        continue;
      }
      if (last && *value <= *last) {
        reading.error(item.at, "cuts: {} is not above the cut point before it", item.scalar);
        fine = false;
        continue;
      }
      last = value;
      if (*value == domain.low || *value == domain.high) continue;  // the ends may be written
      if (*value < domain.low || *value > domain.high) {
        reading.error(item.at, "cuts: {} is outside the domain", item.scalar);
        fine = false;
        continue;
      }
      const bool starts_after = is_whole(domain.kind) && domain.holds_upper_end;
      edges.push_back(*value + (starts_after ? 1 : 0));
    }
    edges.push_back(domain.end());
    if (!fine) continue;
    if (!levels.empty()) {
      for (const double edge : edges) {
        if (!std::binary_search(levels.back().begin(), levels.back().end(), edge)) {
          reading.error(list->at,
                        "cuts: this level cuts at {}, where the finer level before it "
                        "does not: its bins would overlap",
                        format_value(edge, domain.kind));
          fine = false;
        }
      }
      if (fine && edges.size() == levels.back().size()) {
        reading.warning(list->at, "cuts: this level is the same as the one before it");
        continue;
      }
    }
    levels.push_back(std::move(edges));
  }
  if (!fine || !domain.has_bounds) return std::nullopt;
  if (levels.front().size() - 1 > kMaxBins) {
    reading.limit(node.at, "cuts: more than {} bins", kMaxBins);
    return std::nullopt;
  }
  if (levels.front().size() == 2) {
    reading.error(node.at, "cuts: no cut point inside the domain");
    return std::nullopt;
  }
  return nest_levels(levels, domain);
}

struct PlacedBin {
  const PlacedNode* node;
  Interval interval;
};

std::optional<Interval> read_interval(const PlacedNode& leaf, const Domain& domain,
                                      Reading& reading) {
  std::optional<Interval> interval;
  if (leaf.value == nullptr) {
    interval = parse_interval(leaf.label, domain.kind);
  } else if (leaf.value->is_scalar()) {
    interval = parse_interval(leaf.value->scalar, domain.kind);
  } else if (leaf.value->items.size() == 2) {
    const auto low = read_value(leaf.value->items[0], leaf.label, domain.kind, reading);
    const auto high = read_value(leaf.value->items[1], leaf.label, domain.kind, reading);
    if (!low || !high) return std::nullopt;
    const bool whole = is_whole(domain.kind);
    interval = Interval{*low, *high, whole || !domain.holds_upper_end || *low == domain.low,
                        whole || domain.holds_upper_end || *high == domain.high};
  }
  if (!interval) {
    reading.error(leaf.at,
                  "'{}' should be a bin: {}: [low, high], or interval notation such as "
                  "\"(14, 20]\"",
                  leaf.label, leaf.label);
    return std::nullopt;
  }
  const bool reversed =
      interval->low > interval->high || (!is_whole(domain.kind) && interval->low == interval->high);
  if (reversed) {
    reading.error(leaf.at, "the bin '{}' holds nothing: its bounds are reversed or equal",
                  leaf.label);
    return std::nullopt;
  }
  return interval;
}

void collect_bins(std::vector<PlacedNode>& nodes, const Domain& domain, Reading& reading,
                  std::vector<PlacedBin>& bins) {
  for (PlacedNode& node : nodes) {
    if (!node.children.empty()) {
      collect_bins(node.children, domain, reading, bins);
    } else if (const auto interval = read_interval(node, domain, reading)) {
      bins.push_back({&node, *interval});
    }
  }
}

// Puts the children of every group in the order of their lowest value. Returns the group's extent.
Interval sort_groups(std::vector<PlacedNode>& nodes,
                     const std::function<Interval(const PlacedNode&)>& interval_of,
                     const Domain& domain, Reading& reading) {
  std::vector<std::pair<Interval, PlacedNode>> extents;
  for (PlacedNode& node : nodes) {
    Interval extent;
    if (node.children.empty()) {
      extent = interval_of(node);
    } else {
      extent = sort_groups(node.children, interval_of, domain, reading);
      const auto claimed = parse_interval(node.label, domain.kind);
      if (claimed && (claimed->low != extent.low || claimed->high != extent.high)) {
        reading.error(node.at, "the group '{}' does not hold what it says: its bins cover {}",
                      node.label, format_interval(extent, domain.kind));
      }
    }
    extents.emplace_back(extent, std::move(node));
  }
  std::stable_sort(extents.begin(), extents.end(),
                   [](const auto& a, const auto& b) { return a.first.low < b.first.low; });
  Interval whole = extents.front().first;
  nodes.clear();
  for (auto& [extent, node] : extents) {
    if (extent.high >= whole.high) {
      whole.high = extent.high;
      whole.holds_high = extent.holds_high;
    }
    nodes.push_back(std::move(node));
  }
  return whole;
}

// Says where neighbouring bins leave a gap or overlap, and where they miss the domain's ends.
void check_cover(const std::vector<PlacedBin>& sorted, const Domain& domain, Reading& reading) {
  const auto text = [&](double value) { return format_value(value, domain.kind); };
  const PlacedBin& first = sorted.front();
  if (!domain.has_bounds) {
    // only what lies between the bins can be judged
  } else if (first.interval.low < domain.low) {
    reading.error(first.node->at, "the bin '{}' reaches below the domain, which begins at {}",
                  first.node->label, text(domain.low));
  } else if (first.interval.low > domain.low) {
    reading.error(first.node->at, "gap: no bin from {} to {}, where '{}' begins", text(domain.low),
                  text(first.interval.low), first.node->label);
  }
  const PlacedBin* widest = &first;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const PlacedBin& next = sorted[i];
    const double step = is_whole(domain.kind) ? 1 : 0;
    const double expected = widest->interval.high + step;
    const bool touch = next.interval.low == expected;
    const bool both = touch && step == 0 && widest->interval.holds_high && next.interval.holds_low;
    const bool neither =
        touch && step == 0 && !widest->interval.holds_high && !next.interval.holds_low;
    if (next.interval.low < expected || both) {
      reading.error(next.node->at, "overlap: '{}' and '{}' both hold {}", widest->node->label,
                    next.node->label, text(next.interval.low));
    } else if (neither) {
      reading.error(next.node->at, "gap: neither '{}' nor '{}' holds {}", widest->node->label,
                    next.node->label, text(expected));
    } else if (next.interval.low > expected) {
      reading.error(next.node->at,
                    "gap: no bin between '{}', which ends at {}, and '{}', which "
                    "begins at {}",
                    widest->node->label, text(widest->interval.high), next.node->label,
                    text(next.interval.low));
    }
    if (next.interval.high > widest->interval.high) widest = &next;
  }
  if (!domain.has_bounds) return;
  if (widest->interval.high > domain.high) {
    reading.error(widest->node->at, "the bin '{}' reaches above the domain, which ends at {}",
                  widest->node->label, text(domain.high));
  } else if (widest->interval.high < domain.high) {
    reading.error(widest->node->at, "gap: no bin from {}, where '{}' ends, to {}",
                  text(widest->interval.high), widest->node->label, text(domain.high));
  }
}

std::optional<BinnedDomain> read_intervals(const YamlNode& node, const Domain& domain,
                                           Reading& reading) {
  const std::size_t errors_before = reading.error_count();
  auto [tree, is_complete] = read_tree(node, /*leaf_values=*/true, reading);
  if (count_leaves(tree) > kMaxBins) {
    reading.limit(node.at, "intervals: more than {} bins", kMaxBins);
    return std::nullopt;
  }
  std::vector<PlacedBin> bins;
  collect_bins(tree, domain, reading, bins);
  const bool all_read = is_complete && reading.error_count() == errors_before;
  if (all_read && bins.empty()) reading.error(node.at, "intervals: no bin");
  check_labels(tree, reading);
  // A bin that could not be read may be the one that fills a gap.
  if (!all_read || bins.empty()) return std::nullopt;
  std::vector<PlacedBin> sorted = bins;
  std::stable_sort(sorted.begin(), sorted.end(), [](const PlacedBin& a, const PlacedBin& b) {
    return a.interval.low < b.interval.low;
  });
  check_cover(sorted, domain, reading);
  if (reading.error_count() > errors_before || !domain.has_bounds) return std::nullopt;

  BinnedDomain result;
  std::vector<std::string> sorted_labels;
  for (const PlacedBin& bin : sorted) {
    sorted_labels.push_back(bin.node->label);
    result.bins.edges.push_back(bin.interval.low);
  }
  result.bins.edges.front() = domain.low;
  result.bins.edges.push_back(domain.end());
  if (!is_whole(domain.kind) && sorted.size() > 1) {
    result.bins.holds_upper_end = sorted.front().interval.holds_high;
    for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
      if (sorted[i].interval.holds_high != result.bins.holds_upper_end) {
        reading.error(sorted[i].node->at,
                      "'{}' holds {} end, unlike the bins before it; all bins "
                      "should hold the same end",
                      sorted[i].node->label,
                      result.bins.holds_upper_end ? "its lower" : "its upper");
        return std::nullopt;
      }
    }
  }
  std::unordered_map<std::string, Interval> by_label;
  for (const PlacedBin& bin : sorted) by_label.emplace(bin.node->label, bin.interval);
  sort_groups(
      tree, [&](const PlacedNode& leaf) { return by_label.at(leaf.label); }, domain, reading);
  std::vector<PlacedBin> in_tree_order;
  collect_bins(tree, domain, reading, in_tree_order);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (in_tree_order[i].node->label != sorted_labels[i]) {
      reading.error(in_tree_order[i].node->at,
                    "the bin '{}' lies between bins of another group; a "
                    "group should be one unbroken stretch",
                    sorted_labels[i]);
      return std::nullopt;
    }
  }
  if (reading.error_count() > errors_before) return std::nullopt;
  result.tree = plain_tree(tree);
  return result;
}

}  // namespace

std::optional<BinnedDomain> read_bins(const YamlNode& map, AttributeKind kind, Reading& reading) {
  const Domain domain = read_domain(map, kind, reading);
  const YamlNode* levels = map.find("levels");
  const YamlNode* cuts = map.find("cuts");
  const YamlNode* intervals = map.find("intervals");
  const int given = (levels != nullptr) + (cuts != nullptr) + (intervals != nullptr);
  if (given != 1) {
    reading.error(map.at, "say how the domain is divided, by one of: levels, cuts, intervals");
    return std::nullopt;
  }
  if (levels != nullptr) return read_equal_widths(*levels, domain, reading);
  if (cuts != nullptr) return read_cuts(*cuts, domain, reading);
  return read_intervals(*intervals, domain, reading);
}

}  // namespace privpfc::internal
