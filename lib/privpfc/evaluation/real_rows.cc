#include "privpfc/evaluation/real_rows.h"

#include "privpfc/features/feature_reader.h"

namespace privpfc {

const Dataset& RealRows::operator[](ReleaseView view) const {
  return view == ReleaseView::kAsReleased ? as_released
         : view == ReleaseView::kGroups   ? groups
                                          : grid;
}

Result<Dataset> read_plain_rows(const RealSource& source, const Schema& schema,
                                const FeatureSpace& space, UnreadValues* unread) {
  PRIVPFC_ASSIGN(TableReader table, TableReader::open({source.paths.begin(), source.paths.end()},
                                                      schema.csv, source.limits));
  PRIVPFC_ASSIGN(const FeatureReader features,
                 FeatureReader::create(schema, space, table.columns(),
                                       {.ignore_extra_columns = source.ignore_extra_columns,
                                        .caps_persons = source.caps_persons}));
  if (unread == nullptr) return read_dataset(table, features, source.threads);
  DataReport report;
  PRIVPFC_ASSIGN(Dataset rows, read_dataset(table, features, source.threads, &report));
  *unread = unread_values(report);
  return rows;
}

Result<RealRows> read_real_rows(const RealSource& source, const Schema& schema,
                                const ReleaseSpaces& spaces, UnreadValues* unread) {
  RealRows rows;
  PRIVPFC_ASSIGN(rows.as_released, read_plain_rows(source, schema, spaces.as_released, unread));
  PRIVPFC_ASSIGN(rows.groups, read_plain_rows(source, schema, spaces.groups));
  PRIVPFC_ASSIGN(rows.grid, read_plain_rows(source, schema, spaces.grid));
  return rows;
}

}  // namespace privpfc
