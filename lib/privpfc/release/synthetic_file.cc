#include "privpfc/release/synthetic_file.h"

namespace privpfc {

Status write_synthetic(const std::filesystem::path& path, const SyntheticTable& table,
                       const std::string& facts, unsigned threads, bool sync, FileDigest& digest) {
  WriterOptions options;
  options.sync = sync;
  options.digest = &digest;
  options.metadata = {{"privpfc", facts}};
  // Rows come in a random order: no row group could be skipped by its least and largest values.
  options.statistics = false;
  options.packed = true;
  // Packed codes in a random order hold hardly anything that a slower codec would find.
  options.compression = Compression::kSnappy;
  options.threads = threads;
  PRIVPFC_ASSIGN(TableWriter writer, TableWriter::create(path, table.columns(), options));
  PRIVPFC_TRY(table.write(writer, threads));
  return writer.close();
}

}  // namespace privpfc
