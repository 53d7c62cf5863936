#include "privpfc/release/release_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "privpfc/release/file_hash.h"
#include "privpfc/release/release_reader.h"
#include "privpfc/release/synthetic_file.h"

namespace privpfc {
namespace {

namespace fs = std::filesystem;

// A private place for the rebuilt table; it holds nothing that is not in the release.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (fs::temp_directory_path() / "privpfc-verify-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory() {
    std::error_code code;
    if (!path_.empty()) fs::remove_all(path_, code);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

ReleaseFinding check_file(const Release& release, const Manifest::File& expected) {
  const std::string check = "file " + expected.name;
  const auto found = hash_file(release.directory, expected.name);
  if (!found.ok()) return {check, false, "missing or unreadable"};
  if (found->bytes != expected.bytes || found->sha256 != expected.sha256) {
    return {check, false, "differs from what was released"};
  }
  return {check, true, "sha256 " + expected.sha256.substr(0, 16) + "..."};
}

ReleaseFinding check_completeness(const Release& release) {
  std::vector<std::string> strangers;
  for (const auto& entry : fs::directory_iterator(release.directory)) {
    const std::string name = entry.path().filename().string();
    const auto& files = release.manifest.files;
    const bool known = name == kManifestFile ||
                       std::any_of(files.begin(), files.end(),
                                   [&](const Manifest::File& file) { return file.name == name; });
    if (!known) strangers.push_back(name);
  }
  std::sort(strangers.begin(), strangers.end());
  if (strangers.empty()) return {"nothing else in the directory", true, ""};
  return {"nothing else in the directory", false,
          fmt::format("also there: {}", fmt::join(strangers, ", "))};
}

ReleaseFinding check_epsilon(const Manifest& manifest) {
  std::uint64_t units = 0;
  for (const Synopsis::Step& step : manifest.synopsis.steps) units += step.epsilon.units();
  return {"epsilon of the steps adds up", units == manifest.row_epsilon.units(),
          fmt::format("{} steps, {} in total", manifest.synopsis.steps.size(),
                      manifest.row_epsilon.to_string())};
}

ReleaseFinding check_rows_of_a_person(const Manifest& manifest, const Person& person) {
  return {"epsilon of a person's rows is at most the promised one",
          person.most_rows * manifest.row_epsilon.units() <= manifest.epsilon.units(),
          fmt::format("{} rows of {} each, {} promised", person.most_rows,
                      manifest.row_epsilon.to_string(), manifest.epsilon.to_string())};
}

Result<ReleaseFinding> rebuild(Release& release) {
  const std::string check = "synthetic rows rebuilt from the cells";
  if (const Status counts = read_release_counts(release); !counts.ok()) {
    return ReleaseFinding{check, false, counts.error().message};
  }
  const Manifest& manifest = release.manifest;
  const SyntheticTable table(release.schema, manifest.synopsis, manifest.numeric_style,
                             manifest.synthetic_seed, manifest.synthetic_most_rows);
  if (table.rows() != manifest.synthetic_rows) {
    return ReleaseFinding{check, false, "the number of rows differs"};
  }
  const ScratchDirectory scratch;
  if (scratch.path().empty()) {
    return make_error(ErrorKind::kIo, "no temporary directory could be made");
  }
  FileDigest rebuilt;
  PRIVPFC_TRY(write_synthetic(scratch.path() / kSyntheticFile, table,
                              manifest_facts(manifest, release.schema), /*threads=*/0,
                              /*sync=*/false, rebuilt));
  PRIVPFC_ASSIGN(const Manifest::File released,
                 hash_file(release.directory, std::string(kSyntheticFile)));
  const bool same = rebuilt.sha256 == released.sha256;
  return ReleaseFinding{check, same,
                        same ? fmt::format("{} rows, bit for bit", table.rows())
                             : "the bytes differ (also possible when another version of the "
                               "Parquet library wrote it)"};
}

}  // namespace

Result<std::vector<ReleaseFinding>> check_release(const fs::path& directory) {
  PRIVPFC_ASSIGN(Release release, open_release(directory));
  std::vector<ReleaseFinding> findings;
  findings.push_back(
      {"schema is the one named", true, release.manifest.schema_sha256.substr(0, 16) + "..."});
  for (const Manifest::File& file : release.manifest.files) {
    findings.push_back(check_file(release, file));
  }
  findings.push_back(check_completeness(release));
  findings.push_back(check_epsilon(release.manifest));
  if (release.schema.person) {
    findings.push_back(check_rows_of_a_person(release.manifest, *release.schema.person));
  }
  PRIVPFC_ASSIGN(ReleaseFinding rebuilt, rebuild(release));
  findings.push_back(std::move(rebuilt));
  return findings;
}

}  // namespace privpfc
