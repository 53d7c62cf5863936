#include <privpfc/schema/schema_reader.h>

#include <cstdio>

int main(int, char** argv) {
  const auto schema = privpfc::load_schema(argv[1]);
  if (!schema.ok()) {
    std::fprintf(stderr, "%s\n", schema.error().message.c_str());
    return 1;
  }
  std::printf("%s has %zu attributes\n", schema->name.c_str(), schema->attributes.size());
}
