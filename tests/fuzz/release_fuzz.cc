#include "fuzz_input.h"
#include "privpfc/pipeline/synthesis.h"
#include "privpfc/release/release_check.h"
#include "privpfc/release/release_reader.h"
#include "publishing.h"

namespace {

using namespace privpfc;

constexpr std::uint64_t kMostRows = 1000;

// A sound release to which one file at a time is done.
class TargetRelease {
 public:
  TargetRelease() : schema_(*read_schema_text(fuzz::kSchema).schema) {
    std::string rows = "i,r,d,c,b,y\n";
    for (int row = 0; row < 300; ++row) {
      rows += std::to_string(row % 100) + (row % 2 == 0 ? ",0.5,2001-02-03,a,true," : ",1,,,,") +
              (row % 100 < 50 ? "n\n" : "p\n");
    }
    const auto data = folder_.write("d.csv", rows);
    auto reader = TableReader::open({data});
    const auto encoder = Encoder::create(schema_, reader->columns());
    PublishOptions options;
    options.shares.columns = 20'000;
    options.limits.cells = 12;
    const auto synopsis =
        fuzz::publish_seeded(*encode_table(*reader, *encoder, 1), schema_, options, eps("10"));
    fuzz::write_release_to(path(), synopsis, schema_, NumericStyle::kDrawn, kMostRows);
    for (const std::string_view name : {kManifestFile, kCellsFile, kColumnsFile}) {
      std::ifstream file(path() / name, std::ios::binary);
      sound_.emplace_back(name, std::string(std::istreambuf_iterator<char>(file), {}));
    }
  }

  std::filesystem::path path() const { return folder_.path() / "release"; }
  const Schema& schema() const { return schema_; }

  // The other files as they were.
  void replace(std::size_t which, std::string_view bytes) const {
    for (std::size_t i = 0; i < sound_.size(); ++i) {
      folder_.write("release/" + sound_[i].first, i == which ? bytes : sound_[i].second);
    }
  }

 private:
  fuzz::ScratchFolder folder_;
  Schema schema_;
  std::vector<std::pair<std::string, std::string>> sound_;
};

// What reads as a manifest must come back unchanged from its written form.
void check_manifest(std::string_view text, const Schema& schema) {
  const auto first = read_manifest(text, schema);
  if (!first.ok()) {
    fuzz::check(!first.error().message.empty());
    return;
  }
  const std::string written = write_manifest(*first, schema);
  const auto second = read_manifest(written, schema);
  fuzz::check(second.ok() && write_manifest(*second, schema) == written);
}

}  // namespace

// The first byte chooses the file of a release that the rest replaces: the manifest, the cells or
// the side columns.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TargetRelease target;
  if (size == 0) return 0;
  const std::size_t which = data[0] % 3;
  const std::string_view bytes = fuzz::text_of(data + 1, size - 1);
  if (which == 0) check_manifest(bytes, target.schema());
  target.replace(which, bytes);
  auto release = open_release(target.path());
  if (!release.ok() || !read_release_counts(*release).ok()) return 0;
  const Manifest& manifest = release->manifest;
  const SyntheticTable table(release->schema, manifest.synopsis, manifest.numeric_style,
                             manifest.synthetic_seed, manifest.synthetic_most_rows);
  fuzz::check(table.rows() <= manifest.synthetic_most_rows);
  // Rebuilding takes long: a few rows, and now and then.
  if (table.rows() <= kMostRows && size % 8 == 0) (void)check_release(target.path()).ok();
  return 0;
}
