#!/usr/bin/env python3
"""A schema that declares a person, from outside, in every command: person_command_test.py PRIVPFC."""

import json
import random
import unittest

from tool_case import ToolCase

SCHEMA = """
name: clinic
label: {column: outcome, classes: [well, ill], other: well}
person: {column: patient_id, most_rows: 3}
attributes:
  age:  {type: integer, domain: [0, 119], levels: [12, 6, 2], missing: [""]}
  ward: {type: categorical, values: [Heart, Bone, Lung], other: true}
"""
HEADER = "patient_id,age,ward,outcome\n"
UNIT = "one person (all rows with the same patient_id; at most 3 are used)"
MARKER = "Zanzibar-7349"  # somebody's id
UNITS = 10**9


def units(epsilon):
    return round(float(epsilon) * UNITS)


def row(source, person):
    age = source.randrange(120)
    ill = source.random() < (0.8 if age > 60 else 0.2)
    return f"{person},{age},{source.choice(['Heart', 'Bone', 'Lung'])},{'ill' if ill else 'well'}"


def table(persons, crowd=0, seed=1):
    """One row for each person; `crowd` rows of one more; three rows of nobody."""
    source = random.Random(seed)
    rows = [row(source, person) for person in range(persons)]
    rows += [row(source, MARKER) for _ in range(crowd)] + [row(source, "") for _ in range(3)]
    source.shuffle(rows)
    return HEADER + "\n".join(rows) + "\n"


class Person(ToolCase):
    def setUp(self):
        super().setUp()
        self.write("s.yaml", SCHEMA)
        self.write("rows.yaml", "\n".join(line for line in SCHEMA.splitlines() if "person" not in line)
                   + "\nignore: [patient_id]\n")
        self.write("d.csv", table(2000, crowd=50))
        done = self.run_tool("ledger", "init", "--ledger", "l.db", "--dataset", "d", "--cap", "1000")
        self.assertEqual(done.returncode, 0, done.stderr)

    def write(self, name, text):
        (self.dir / name).write_text(text)

    def spend(self, command, *arguments):
        return self.run_tool(command, *arguments, "--ledger", "l.db", "--dataset", "d")

    def publish(self, *more, data="d.csv", out="release", epsilon="1", schema="s.yaml"):
        return self.spend("publish", data, "--schema", schema, "--epsilon", epsilon, "--out", out, "--yes", *more)

    def train(self, *more, method="nb-laplace", out="m.json", epsilon="1"):
        return self.spend("train", "d.csv", "--schema", "s.yaml", "--private", method, "--epsilon", epsilon,
                          "--out", out, "--yes", *more)

    def ledger(self):
        return json.loads(self.run_tool("ledger", "show", "--ledger", "l.db", "--json").stdout)

    def spent(self):
        return self.ledger()["datasets"][0]["spent"]

    def nothing_shows(self, *outputs):
        for output in outputs:
            self.assertNotIn(MARKER, output)

    def test_a_release_debits_the_person_and_its_steps_sum_to_the_row(self):
        done = self.publish("--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.spent(), 1)
        self.assertEqual(self.ledger()["entries"][-1]["purpose"], "publish, per person")
        privacy = json.loads(done.stdout)["privacy"]
        self.assertEqual((privacy["epsilon"], privacy["unit"]), ("1", "one person"))
        self.assertEqual(privacy["person"], {"column": "patient_id", "most_rows": 3, "epsilon_per_person": "1",
                                             "epsilon_per_row": "0.333333333"})
        self.assertEqual(sum(units(step["epsilon"]) for step in privacy["steps"]), 333_333_333)
        self.assertIn(UNIT, done.stderr)
        verified = self.run_tool("verify", "release")
        self.assertEqual(verified.returncode, 0, verified.stdout)
        self.assertIn("3 rows of 0.333333333 each, 1 promised", verified.stdout)
        inspected = self.run_tool("inspect", "release")
        self.assertIn(UNIT, inspected.stdout)
        for name in ("README.md", "croissant.json"):
            self.assertIn(UNIT, (self.dir / "release" / name).read_text())
        self.nothing_shows(done.stdout, done.stderr, verified.stdout, inspected.stdout)
        for path in (self.dir / "release").iterdir():
            self.assertNotIn(MARKER.encode(), path.read_bytes())
        self.assertNotIn(MARKER.encode(), (self.dir / "l.db").read_bytes())

    def test_a_person_with_many_rows_counts_as_most_rows(self):
        # At so large an epsilon (33 for the class counts of a row) there is no noise to be seen.
        shares = ("--shares", "50,25,25", "--shares-with-features", "50,20,10,20")
        for crowd, rows in ((0, 100), (2, 102), (3, 103), (90, 103)):
            self.write("few.csv", table(100, crowd=crowd))
            done = self.publish("--json", *shares, data="few.csv", out=f"r{crowd}", epsilon="200")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["noisy_rows"], rows)

    def test_who_changes_the_promised_epsilon_is_found_out(self):
        self.assertEqual(self.publish("--quiet").returncode, 0)
        manifest = self.dir / "release" / "manifest.json"
        good = manifest.read_text()
        manifest.write_text(good.replace('"epsilon": "1"', '"epsilon": "0.9"', 1)
                            .replace('person": "1"', 'person": "0.9"'))
        done = self.run_tool("verify", "release")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAIL  epsilon of a person's rows", done.stdout)

    def test_an_epsilon_too_small_for_the_rows_of_a_person_is_refused_before_the_debit(self):
        for epsilon in ("0.000000002", "0.000004"):  # nothing left; too little for the steps
            done = self.publish(epsilon=epsilon)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertFalse((self.dir / "release").exists())
        self.assertIn("promised to a person", done.stderr)
        self.assertEqual(self.publish("--dry-run", epsilon="0.000004", schema="rows.yaml").returncode, 0)
        self.assertEqual(self.train(epsilon="0.000000002").returncode, 2)
        self.assertEqual(self.spent(), 0)

    def test_epsilons_of_rows_and_of_persons_are_kept_apart(self):
        self.assertEqual(self.publish(schema="rows.yaml", out="of_rows").returncode, 0)
        for done in (self.publish(), self.publish("--dry-run"), self.train()):
            self.assertEqual(done.returncode, 5, done.stderr)
            self.assertIn("on record for one row, and this is for one person", done.stderr)
        self.assertEqual(self.spent(), 1)
        self.assertFalse((self.dir / "release").exists() or (self.dir / "m.json").exists())

    def test_data_without_the_column_is_refused_before_the_debit(self):
        self.write("no_id.csv", "age,ward,outcome\n30,Heart,well\n")
        done = self.publish(data="no_id.csv")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no column 'patient_id'", done.stderr)
        self.assertEqual(self.spent(), 0)

    def test_a_model_states_the_unit_and_debits_the_person(self):
        done = self.train("--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.spent(), 1)
        summary = json.loads(done.stdout)
        self.assertEqual((summary["epsilon"], summary["epsilon_per_row"], summary["unit"]), ("1", "0.333333333", UNIT))
        self.assertIn(f"epsilon 1 under adding or removing {UNIT}",
                      json.loads((self.dir / "m.json").read_text())["guarantee"])
        # It predicts rows, all of them, with or without ids.
        self.write("new.csv", "age,ward\n30,Heart\n40,Bone\n")
        for data, rows in (("d.csv", 2053), ("new.csv", 2)):
            done = self.run_tool("predict", data, "--model", "m.json", "--out", f"{data}.out.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len((self.dir / f"{data}.out.csv").read_text().splitlines()), rows + 1)

    def test_a_method_with_a_delta_is_refused_unless_a_person_has_one_row(self):
        done = self.run_tool("ledger", "init", "--ledger", "delta.db", "--dataset", "d", "--cap", "9", "--delta-cap",
                             "0.001")
        self.assertEqual(done.returncode, 0, done.stderr)
        flags = ("train", "d.csv", "--private", "nb-smooth-delta", "--epsilon", "1", "--ledger", "delta.db",
                 "--dataset", "d")
        done = self.run_tool(*flags, "--schema", "s.yaml", "--out", "m.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("most_rows: 1", done.stderr)
        shown = json.loads(self.run_tool("ledger", "show", "--ledger", "delta.db", "--json").stdout)
        self.assertEqual(shown["datasets"][0]["spent"], 0)
        self.write("one.yaml", SCHEMA.replace("most_rows: 3", "most_rows: 1"))
        done = self.run_tool(*flags, "--schema", "one.yaml", "--out", "m.json")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_paid_figures_are_for_persons_and_the_internal_ones_about_all_rows(self):
        self.assertEqual(self.publish("--quiet").returncode, 0)
        self.write("held.csv", table(300, crowd=40, seed=2))
        done = self.spend("evaluate", "release", "--test", "held.csv", "--epsilon-eval", "900", "--yes", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.spent(), 901)
        paid = json.loads(done.stdout)
        self.assertEqual((paid["privacy"]["epsilon"], paid["privacy"]["epsilon_per_row"]), ("900", "300"))
        self.assertEqual(paid["privacy"]["unit"], UNIT)
        self.assertEqual(sum(paid["noisy_test_rows"].values()), 303)
        done = self.run_tool("evaluate", "release", "--test", "held.csv", "--train", "d.csv", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sum(json.loads(done.stdout)["test_rows"].values()), 343)

    def test_a_model_of_a_release_carries_the_persons_promise(self):
        self.assertEqual(self.publish("--quiet").returncode, 0)
        done = self.run_tool("train", "release", "--model", "nb", "--out", "m.json", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(UNIT, json.loads((self.dir / "m.json").read_text())["guarantee"])

    def test_check_counts_persons_for_the_curators_eyes(self):
        done = self.run_tool("check", "d.csv", "--schema", "s.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2001 persons; of the rows, 47 would be left out", done.stdout)
        self.assertIn("and 3 because they have no id", done.stdout)
        done = self.run_tool("check", "d.csv", "--schema", "s.yaml", "--json")
        self.assertEqual(json.loads(done.stdout)["person"],
                         {"persons": 2001, "rows_beyond_most_rows": 47, "rows_without_id": 3})
        self.nothing_shows(done.stdout, done.stderr)

    def test_a_plan_is_made_from_the_epsilon_of_a_row(self):
        plan = ("plan", "--rows", "~2000", "--json", "--schema")
        person = json.loads(self.run_tool(*plan, "s.yaml", "--epsilon", "3").stdout)[0]
        row_alone = json.loads(self.run_tool(*plan, "rows.yaml", "--epsilon", "1").stdout)[0]
        self.assertEqual((person["epsilon"], person["epsilon_per_row"]), ("3", "1"))
        self.assertEqual({**person, "epsilon": "1"}, row_alone)
        text = self.run_tool("plan", "--rows", "~2000", "--schema", "s.yaml", "--epsilon", "3").stdout
        self.assertIn(f"epsilon is for {UNIT}:\neach row has 1/3 of it", text)

    def test_where_rows_are_rows_the_column_is_read_past(self):
        done = self.run_tool("train", "d.csv", "--schema", "s.yaml", "--model", "nb", "--out", "plain.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_tool("compare", "d.csv", "--schema", "s.yaml", "--epsilon", "1", "--methods",
                             "privpfc,majority", "--folds", 2, "--repeats", 1, "--out", "c")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("every epsilon is of one row", done.stderr)

    def test_the_schema_is_shown_with_its_unit(self):
        self.assertIn(f"unit: {UNIT}", self.run_tool("schema", "show", "s.yaml").stdout)
        shown = json.loads(self.run_tool("schema", "show", "s.yaml", "--json").stdout)
        self.assertEqual(shown["person"], {"column": "patient_id", "most_rows": 3})


if __name__ == "__main__":
    unittest.main()
