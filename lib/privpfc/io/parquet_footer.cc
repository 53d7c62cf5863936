#include "privpfc/io/parquet_footer.h"

#include <algorithm>

namespace privpfc {
namespace {

// As much of the compact protocol as it takes to find one number and to pass over the rest.
class CompactReader {
 public:
  enum Type : unsigned {
    kStop,
    kTrue,
    kFalse,
    kByte,
    kI16,
    kI32,
    kI64,
    kDouble,
    kBinary,
    kList,
    kSet,
    kMap,
    kStruct,
    kUuid
  };

  explicit CompactReader(std::string_view bytes) : rest_(bytes) {}

  bool is_sound() const { return sound_; }

  // Calls use(id, type) for every field of a struct; it says whether it has read the field.
  template <typename Use>
  void fields(const Use& use) {
    std::int64_t id = 0;
    while (sound_) {
      const unsigned head = byte();
      const unsigned type = head & 15;
      if (type == kStop) return;
      id = head >> 4 == 0 ? number() : id + (head >> 4);
      if (!use(id, type)) skip(type, true);
    }
  }

  // Calls use() for every struct of a list.
  template <typename Use>
  void structs(const Use& use) {
    const auto [type, count] = list_head();
    if (type != kStruct) sound_ = false;
    for (std::uint64_t i = 0; i < count && sound_; ++i) use();
  }

  std::int64_t number() {
    const std::uint64_t zigzag = varint();
    return static_cast<std::int64_t>(zigzag >> 1) ^ -static_cast<std::int64_t>(zigzag & 1);
  }

 private:
  struct ListHead {
    unsigned type;
    std::uint64_t count;
  };
  static constexpr int kMostDepth = 64;

  unsigned byte() {
    if (rest_.empty()) {
      sound_ = false;
      return kStop;
    }
    const auto value = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const unsigned part = byte();
      value |= std::uint64_t{part & 127} << shift;
      if (part < 128) return value;
    }
    sound_ = false;
    return 0;
  }

  ListHead list_head() {
    const unsigned head = byte();
    return {head & 15, head >> 4 == 15 ? varint() : head >> 4};
  }

  void pass(std::uint64_t bytes) {
    if (bytes > rest_.size()) {
      sound_ = false;
      return;
    }
    rest_.remove_prefix(bytes);
  }

  // A field's type holds the value of a boolean; in a list it takes a byte.
  void skip(unsigned type, bool is_field) {
    if (++depth_ > kMostDepth) sound_ = false;
    if (sound_) skip_sound(type, is_field);
    --depth_;
  }

  void skip_sound(unsigned type, bool is_field) {
    switch (type) {
      case kTrue:
      case kFalse:
        return pass(is_field ? 0 : 1);
      case kByte:
        return pass(1);
      case kI16:
      case kI32:
      case kI64:
        varint();
        return;
      case kDouble:
        return pass(8);
      case kBinary:
        return pass(varint());
      case kList:
      case kSet: {
        const ListHead head = list_head();
        for (std::uint64_t i = 0; i < head.count && sound_; ++i) skip(head.type, false);
        return;
      }
      case kMap: {
        const std::uint64_t count = varint();
        const unsigned types = count == 0 ? 0 : byte();
        for (std::uint64_t i = 0; i < count && sound_; ++i) {
          skip(types >> 4, false);
          skip(types & 15, false);
        }
        return;
      }
      case kStruct:
        return fields([](std::int64_t, unsigned) { return false; });
      case kUuid:
        return pass(16);
      default:
        sound_ = false;
    }
  }

  std::string_view rest_;
  bool sound_ = true;
  int depth_ = 0;
};

// Places of the fields in parquet.thrift.
constexpr std::int64_t kSchemaOfFile = 2;
constexpr std::int64_t kChildrenOfElement = 5;
constexpr std::int64_t kRowGroupsOfFile = 4;
constexpr std::int64_t kColumnsOfRowGroup = 1;
constexpr std::int64_t kMetadataOfColumn = 3;
constexpr std::int64_t kCodecOfMetadata = 4;

// The depth of a tree whose nodes come one by one, each before its children.
class Descent {
 public:
  void enter(std::int64_t children) {
    if (!left_.empty()) --left_.back();
    deepest_ = std::max(deepest_, left_.size());
    if (children > 0) left_.push_back(children);
    while (!left_.empty() && left_.back() == 0) left_.pop_back();
  }
  std::size_t deepest() const { return deepest_; }

 private:
  std::vector<std::int64_t> left_;  // by ancestor: children to come
  std::size_t deepest_ = 0;
};

}  // namespace

std::optional<std::size_t> nesting_depth(std::string_view footer) {
  CompactReader reader(footer);
  Descent descent;
  reader.fields([&](std::int64_t id, unsigned type) {
    if (id != kSchemaOfFile || type != CompactReader::kList) return false;
    reader.structs([&] {
      std::int64_t children = 0;
      reader.fields([&](std::int64_t field, unsigned kind) {
        if (field != kChildrenOfElement || kind != CompactReader::kI32) return false;
        children = reader.number();
        return true;
      });
      descent.enter(children);
    });
    return true;
  });
  if (!reader.is_sound()) return std::nullopt;
  // The columns of a flat table are children of the root.
  return std::max<std::size_t>(descent.deepest(), 1) - 1;
}

std::optional<std::vector<std::vector<std::int64_t>>> codec_numbers(std::string_view footer) {
  CompactReader reader(footer);
  std::vector<std::vector<std::int64_t>> numbers;
  const auto read_metadata = [&](std::int64_t id, unsigned type) {
    if (id != kCodecOfMetadata || type != CompactReader::kI32) return false;
    numbers.back().back() = reader.number();
    return true;
  };
  const auto read_column = [&](std::int64_t id, unsigned type) {
    if (id != kMetadataOfColumn || type != CompactReader::kStruct) return false;
    reader.fields(read_metadata);
    return true;
  };
  const auto read_group = [&](std::int64_t id, unsigned type) {
    if (id != kColumnsOfRowGroup || type != CompactReader::kList) return false;
    reader.structs([&] {
      numbers.back().push_back(-1);  // unless it has one
      reader.fields(read_column);
    });
    return true;
  };
  reader.fields([&](std::int64_t id, unsigned type) {
    if (id != kRowGroupsOfFile || type != CompactReader::kList) return false;
    reader.structs([&] {
      numbers.emplace_back();
      reader.fields(read_group);
    });
    return true;
  });
  if (!reader.is_sound()) return std::nullopt;
  return numbers;
}

}  // namespace privpfc
