#!/bin/sh
# Rules about the kernel's text that no compiler checks.
# usage: kernel_rules.sh RULE PROJECT_FOLDER [BINARY...]
set -eu
rule=$1
cd "$2"
kernel=lib/privpfc/privacy

fail() {
  echo "$*" >&2
  exit 1
}

# Fails if the pattern is found anywhere but in the files given after it.
only_in() {
  pattern=$1
  shift
  found=$(grep -rlE "$pattern" lib cli --include='*.h' --include='*.cc' | sort)
  allowed=$(printf '%s\n' "$@" | sort)
  [ "$found" = "$allowed" ] || fail "'$pattern' is expected in
$allowed
and found in
$found"
}

case $rule in
integers_only)
  # The files that may compute with floating point: objective_perturbation.md says why.
  floating='/(labelled_points|objective_perturbation)\.(h|cc)$'
  others=$(ls $kernel/*.h $kernel/*.cc | grep -vE "$floating")
  if grep -nE '(^|[^a-z_])(double|float)([^a-z_]|$)|<cmath>' $others; then
    fail "the kernel has integers only, but for the files named in this rule"
  fi
  if grep -nE '<random>' $kernel/*.h $kernel/*.cc; then
    fail "the kernel has no generator but the system's"
  fi
  ;;
small_enough)
  lines=$(cat $kernel/*.h $kernel/*.cc | grep -c '[^[:space:]]')
  echo "$lines lines that are not blank"
  [ "$lines" -le 2000 ] || fail "the kernel has $lines lines; an auditor reads 2000"
  ;;
proofs_cite_code)
  # Every name that a proof quotes like `this()` or `This::that()` is in the code beside it; the
  # proofs outside the kernel may also cite what they build on.
  for folder in $kernel lib/privpfc/table lib/privpfc/quality lib/privpfc/pipeline \
    lib/privpfc/evaluation lib/privpfc/direct; do
    code=$folder
    [ "$folder" = "$kernel" ] || code=lib/privpfc
    for proof in "$folder"/*.md; do
      names=$(grep -oE '`[A-Za-z_:]+\(\)`' "$proof" | tr -d '`()' | sed 's/.*:://' | sort -u)
      [ -n "$names" ] || fail "$proof cites no code"
      for name in $names; do
        grep -rqwE "$name" $code --include='*.h' --include='*.cc' ||
          fail "$proof cites $name(), which is gone"
      done
    done
    # And every proof that the code points to is there, in its own room or an earlier one.
    for proof in $(grep -ohE '[a-z0-9_-]+\.md' "$folder"/*.h "$folder"/*.cc | sort -u); do
      [ -n "$(find lib/privpfc -name "$proof")" ] || [ -f "docs/decisions/$proof" ] || [ -f "docs/$proof" ] ||
        [ -f "docs/methods/$proof" ] ||
        fail "$proof is missing"
    done
  done
  ;;
doors_are_few)
  # Who issues budgets, looks into a Private or makes a Released.
  only_in 'BudgetSource' $kernel/budget.h $kernel/budget.cc lib/privpfc/release/ledger.h \
    lib/privpfc/experiments/experiment_budget.h lib/privpfc/audit/audit_budget.h
  only_in 'PrivateAccess' $kernel/private.h $kernel/mechanisms.cc
  only_in 'ReleasedAccess' $kernel/released.h $kernel/mechanisms.cc
  only_in 'public Mechanisms' $kernel/kernel.h
  only_in 'public BitSource' $kernel/system_bits.h lib/privpfc/experiments/experiment_bits.h
  ;;
experiments_are_apart)
  # What is seeded, unpaid or not private at all: in reach of the commands that experiment, and of
  # nothing that writes a release or a private model.
  found=$(grep -rlE '"privpfc/(experiments|as_published)/' lib cli --include='*.h' --include='*.cc' |
    grep -vE '^lib/privpfc/(experiments|as_published)/' | sort | tr '\n' ' ')
  [ "$found" = "cli/compare.cc cli/methods.cc " ] ||
    fail "experiments are expected in cli/compare.cc and cli/methods.cc alone, and found in $found"
  if grep -nE 'write_release|StagingDirectory|write_model|Ledger' cli/compare.cc cli/methods.cc \
    lib/privpfc/experiments/* lib/privpfc/as_published/*; then
    fail "an experiment writes no release and no model, and has no ledger"
  fi
  # So it is with an audit, which has a budget of its own making.
  found=$(grep -rlE '"privpfc/audit/' lib cli --include='*.h' --include='*.cc' |
    grep -vE '^lib/privpfc/audit/' | tr '\n' ' ')
  [ "$found" = "cli/audit.cc " ] || fail "the audit is expected in cli/audit.cc alone, and found in $found"
  if grep -nE 'write_release|StagingDirectory|write_model|Ledger|ExperimentBits|ReplayRandom' \
    cli/audit.cc lib/privpfc/audit/*; then
    fail "an audit writes no release and no model, has no ledger, and draws from the system"
  fi
  ;;
no_test_mode)
  # The shipped binary has no seeded generator, no recorder, nothing from tests/. The test binary
  # comes second: it has them, which shows that this would find them.
  pattern='SeededBits|RecordingMechanisms|EnumeratingBits|TestBudget|mersenne_twister|linear_congruential'
  if nm -C "$3" | grep -E "$pattern"; then
    fail "the shipped binary holds something for tests"
  fi
  nm -C "$4" | grep -qE "$pattern" || fail "this test is blind: it finds nothing in $4 either"
  ;;
*)
  fail "no rule $rule"
  ;;
esac
