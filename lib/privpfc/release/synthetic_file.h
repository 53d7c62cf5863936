#pragma once

#include <filesystem>
#include <string>

#include "privpfc/base/result.h"
#include "privpfc/io/table_writer.h"
#include "privpfc/pipeline/synthesis.h"

namespace privpfc {

// Writes the synthetic rows as Parquet, in the one way that publishing and verifying agree on to
// the byte. `facts` goes into the file's metadata.
Status write_synthetic(const std::filesystem::path& path, const SyntheticTable& table,
                       const std::string& facts, unsigned threads, bool sync, FileDigest& digest);

}  // namespace privpfc
