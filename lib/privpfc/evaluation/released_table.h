#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "privpfc/classifiers/dataset.h"
#include "privpfc/classifiers/feature_space.h"
#include "privpfc/release/release_reader.h"

namespace privpfc {

// How the columns of a release are seen.
enum class ReleaseView {
  kAsReleased,  // numbers where the release has numbers, otherwise groups
  kGroups,      // every column as the groups of its level
  kGrid,        // the same, without the columns outside the grid
};

// The columns of a release: those of the grid in the order of its axes, otherwise in the schema's.
std::vector<AttributeView> release_views(const Release& release, ReleaseView view);

// Opens a release whose rows or counts are to be used: its released counts are read, and the
// synthetic table and the counts are the files that the manifest names (an error of kind kData if
// not), so that what is promised about the release is promised about them.
Result<Release> open_release_to_learn(const std::filesystem::path& directory);

// An error (kSchema) unless the release was made with this schema.
Status check_release_schema(const Release& release, const Schema& schema);

// The synthetic rows, as the space sees them: make_feature_space(schema, release_views(...)).
Result<Dataset> read_released_rows(const Release& release, const FeatureSpace& space,
                                   unsigned threads);

// What is promised about whatever is computed from the release alone: one sentence.
std::string guarantee_of(const Release& release);

}  // namespace privpfc
