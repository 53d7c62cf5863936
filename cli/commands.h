#pragma once

#include "command.h"

namespace privpfc::cli {

// Every command, in the order of --help. Each is a file of its own.
void add_publish(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_schema(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_ledger(CLI::App& app, Action& action);
void add_sample(CLI::App& app, Action& action);
void add_evaluate(CLI::App& app, Action& action);
void add_train(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_audit(CLI::App& app, Action& action);
void add_methods(CLI::App& app, Action& action);

// The longer parts of `schema`.
void add_schema_draft(CLI::App& schema, Action& action);
void add_schema_import(CLI::App& schema, Action& action);
void add_schema_export(CLI::App& schema, Action& action);

}  // namespace privpfc::cli
