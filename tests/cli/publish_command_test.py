#!/usr/bin/env python3
"""privpfc publish, inspect, verify, plan from outside: exit codes, streams, leaks, interrupts.

usage: publish_command_test.py PRIVPFC
"""

import json
import os
import pathlib
import random
import re
import shutil
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "faults"))

from blocked_output import interrupt_when_done, is_debited  # noqa: E402
from place import MARKER, SCHEMA  # noqa: E402
from terminal import open_terminal  # noqa: E402

PRIVPFC = os.path.abspath(sys.argv.pop(1))


def rows(count, seed=1):
    source = random.Random(seed)
    for _ in range(count):
        age = source.randrange(120)
        ward = source.choice(["Heart", "Bone", "Lung"])
        ill = source.random() < (0.8 if age > 60 and ward == "Heart" else 0.2)
        yield f"{age},{ward},{source.choice(['yes', 'no'])},{'ill' if ill else 'well'}"


def without_noise(said):
    """What publish says, but for what was drawn: the chosen grid, its columns, and all numbers."""
    said, grids = re.subn(r"^grid: .*?\n\n", "(grid)\n\n", said, flags=re.M | re.S)
    assert grids == (1 if "noisy" in said else 0)
    return re.sub(r"-?\d+", "#", said)


class PublishCommand(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)
        self.schema = self.write("s.yaml", SCHEMA)
        self.data = self.write("d.csv", "age,ward,smoker,outcome\n" + "\n".join(rows(2000)) + "\n")
        self.ledger = self.folder / "ledger.db"

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def run_privpfc(self, *arguments, env=None):
        return subprocess.run([PRIVPFC, *map(str, arguments)], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env=env, check=False)

    def publish(self, *flags, data=None, out="release", epsilon="1", schema=None, env=None):
        return self.run_privpfc("publish", data or self.data, "--schema", schema or self.schema,
                                "--epsilon", epsilon, "--out", self.folder / out, *flags, env=env)

    def spent(self):
        shown = self.run_privpfc("ledger", "show", "--ledger", self.ledger, "--json")
        return json.loads(shown.stdout)["datasets"][0]["spent"]

    def open_ledger(self, cap="2"):
        run = self.run_privpfc("ledger", "init", "--ledger", self.ledger, "--dataset", "clinic",
                               "--cap", cap)
        self.assertEqual(run.returncode, 0, run.stderr)
        return ["--ledger", self.ledger, "--dataset", "clinic"]

    def test_a_release_is_not_published_again(self):
        done = self.publish()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"To pass it on: chmod -R a+rX {self.folder / 'release'}", done.stderr)
        again = self.publish(data=self.folder / "release", out="again")
        self.assertEqual(again.returncode, 3)
        self.assertIn("is a release, not a directory of data files", again.stderr)

    def test_values_that_cannot_be_read_are_not_counted(self):
        spoiled = self.write("spoiled.csv", self.data.read_text().replace("ill", "ILL").replace(",yes", ",JA"))
        sound, other = self.publish(out="a"), self.publish(data=spoiled, out="b")
        self.assertEqual((sound.returncode, other.returncode), (0, 0))
        self.assertNotIn("could not be read", sound.stderr + other.stderr)

    def test_control_characters_of_a_header_do_not_reach_the_terminal(self):
        data = self.write("esc.csv", "\x1b[31mid,age,ward,smoker,outcome\n7,1,Heart,yes,well\n")
        done = self.publish(data=data)
        self.assertEqual(done.returncode, 3)
        self.assertIn("'\\x1b[31mid'", done.stderr)
        self.assertNotIn("\x1b", done.stderr)

    def test_a_release_is_published_inspected_and_verified(self):
        run = self.publish("--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        manifest = json.loads(run.stdout)
        self.assertEqual(manifest["privacy"]["epsilon"], "1")
        total = sum(round(float(step["epsilon"]) * 10**9) for step in manifest["privacy"]["steps"])
        self.assertEqual(total, 10**9)
        release = self.folder / "release"
        self.assertEqual(
            sorted(p.name for p in release.iterdir()),
            ["README.md", "cells.parquet", "croissant.json", "manifest.json", "schema.yaml",
             "synthetic.parquet"])
        json.loads((release / "croissant.json").read_text())
        self.assertEqual(json.loads((release / "manifest.json").read_text()), manifest)
        self.assertEqual(self.run_privpfc("verify", release).returncode, 0)
        inspected = self.run_privpfc("inspect", release)
        self.assertEqual(inspected.returncode, 0)
        self.assertIn("epsilon 1", inspected.stdout)
        self.assertIn("recorded in", run.stderr)  # it says where the record is kept
        self.assertEqual(stat.S_IMODE(release.stat().st_mode), 0o700)

    def test_a_limit_on_the_synthetic_rows_is_kept_and_replayed(self):
        # At so small an epsilon the noisy number of rows is noise alone.
        run = self.publish("--json", "--max-rows", "1000", epsilon="0.00001")
        self.assertEqual(run.returncode, 0, run.stderr)
        synthetic = json.loads(run.stdout)["synthetic"]
        self.assertEqual(synthetic["most_rows"], 1000)
        self.assertLessEqual(synthetic["rows"], 1000)
        self.assertEqual(self.run_privpfc("verify", self.folder / "release").returncode, 0)

    def test_quiet_says_nothing(self):
        run = self.publish("--quiet")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def test_a_changed_release_does_not_verify(self):
        self.publish("--quiet")
        readme = self.folder / "release" / "README.md"
        readme.write_text(readme.read_text().replace("epsilon", "omega", 1))
        run = self.run_privpfc("verify", self.folder / "release")
        self.assertEqual(run.returncode, 1)
        self.assertIn("FAIL", run.stdout)

    def test_the_budget_is_debited_and_refused_beyond_the_cap(self):
        ledger = self.open_ledger(cap="1.5")
        self.assertEqual(self.publish(*ledger).returncode, 0)
        self.assertEqual(self.spent(), 1)
        refused = self.publish(*ledger, out="second")
        self.assertEqual(refused.returncode, 5)
        self.assertFalse((self.folder / "second").exists())
        self.assertEqual(self.publish(*ledger, out="third", epsilon="0.5").returncode, 0)
        self.assertEqual(self.spent(), 1.5)

    def test_a_dry_run_spends_and_writes_nothing(self):
        ledger = self.open_ledger()
        before = sorted(self.folder.iterdir())
        for flags in (ledger, []):
            run = self.publish("--dry-run", *flags)
            self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)
            self.assertIn("Nothing was spent", run.stderr)
            quiet = self.publish("--dry-run", "--quiet", "--json", *flags)
            self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))
            told = json.loads(quiet.stdout)
            self.assertIs(told["dry_run"], True)
            self.assertEqual((told["epsilon"], told["out"]), ("1", str(self.folder / "release")))
            self.assertEqual((told["ledger"], told["dataset"]), (
                (str(self.ledger), "clinic") if flags else
                (str(self.folder / "privpfc-ledger.db"), self.run_privpfc("schema", "show", self.schema).stdout.split(":")[0])))
        self.assertEqual(sorted(self.folder.iterdir()), before)
        self.assertEqual(self.spent(), 0)

    def test_a_dry_run_refuses_what_the_ledger_would(self):
        ledger = self.open_ledger(cap="1.5")
        wet = {}
        for name, code, flags, epsilon in (
                ("beyond the cap", 5, ledger, "2"),
                ("no ledger", 6, ["--ledger", self.folder / "none.db", "--dataset", "clinic"], "1"),
                ("no data set", 6, ["--ledger", self.ledger, "--dataset", "other"], "1"),
                ("whose budget", 2, ["--ledger", self.ledger], "1"),
                ("a name", 2, ["--dataset", "x" * 101], "1")):
            with self.subTest(name):
                dry = self.publish("--dry-run", *flags, epsilon=epsilon)
                self.assertEqual((dry.returncode, dry.stdout), (code, ""), dry.stderr)
                self.assertFalse((self.folder / "privpfc-ledger.db").exists())
                wet = self.publish(*flags, epsilon=epsilon)
                self.assertEqual((wet.returncode, wet.stderr.splitlines()[-1:]), (code, dry.stderr.splitlines()))
        self.assertEqual(self.publish("--dry-run", *ledger, epsilon="1.5").returncode, 0)
        (self.folder / "privpfc-ledger.db").unlink(missing_ok=True)
        self.folder.chmod(0o1777)
        self.assertEqual(self.publish("--dry-run").returncode, 6)

    def test_the_stages_leave_no_trace_in_a_pipe(self):
        run = subprocess.run([PRIVPFC, "publish", self.data, "--schema", self.schema, "--epsilon", "1", "--out",
                              self.folder / "piped"], capture_output=True, check=False)
        self.assertEqual(run.returncode, 0)
        self.assertNotIn(b"\r", run.stderr)

    def test_the_stages_leave_no_trace_on_a_terminal(self):
        ours, theirs = open_terminal()
        with subprocess.Popen([PRIVPFC, "publish", self.data, "--schema", self.schema, "--epsilon", "1", "--out",
                               self.folder / "shown"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=theirs) as process:
            os.close(theirs)
            said = b""
            try:
                while piece := os.read(ours, 4096):
                    said += piece
            except OSError:  # as a terminal ends
                pass
            self.assertEqual(process.wait(), 0)
        os.close(ours)
        self.assertIn(b"reading ...", said)
        # What stays of a line is what follows the last time that it was cleared.
        lines = [line.rstrip(b"\r").rsplit(b"\r\x1b[K", 1)[-1] for line in said.split(b"\n")]
        for beginning in (b"No ledger was named", b"clinic: epsilon 1 "):
            self.assertTrue(any(line.startswith(beginning) for line in lines), lines)

    def test_no_value_makes_publishing_fail_or_speak(self):
        values = ["NaN", "inf", "-inf", "1e309", "", "NA", "12.5", "-4", "999999999999999999999",
                  " 12", "twelve", MARKER]
        lines = [f"{value},{ward},{smoker},{label}" for value in values
                 for ward, smoker, label in [("Heart", "maybe", "ill"), (MARKER, "", MARKER),
                                             (" Heart", MARKER, "")]]
        odd = self.write("odd.csv", "age,ward,smoker,outcome\n" + "\n".join([*rows(500), *lines]))
        for flags in [[], ["--quiet"]]:
            said = []
            for data in [self.data, odd]:
                run = self.publish(*flags, data=data)
                self.assertEqual(run.returncode, 0, run.stderr)
                said.append((without_noise(run.stdout), without_noise(run.stderr)))
                shutil.rmtree(self.folder / "release")
            self.assertEqual(said[1], said[0])

    def test_two_publishers_of_one_table_draw_their_own_noise(self):
        cells = []
        for out in ["one", "two"]:
            self.assertEqual(self.publish("--quiet", "--threads", "1", out=out).returncode, 0)
            cells.append((self.folder / out / "cells.parquet").read_bytes())
        self.assertNotEqual(cells[0], cells[1])

    def test_a_table_without_rows_is_published_like_one_with_rows(self):
        header = self.write("header.csv", "age,ward,smoker,outcome\n")
        bare = self.write("bare.yaml", SCHEMA.replace("label: {column: outcome", "csv: {header: false}\n"
                          "label: {column: 4").replace("age:  {", "age: {column: 1, ").replace(
                          "ward: {", "ward: {column: 2, ").replace("smoker: {", "smoker: {column: 3, "))
        nothing = self.write("nothing.csv", "")
        row = self.write("row.csv", "30,Heart,yes,ill\n")
        parts = self.folder / "parts"
        parts.mkdir()
        (parts / "1.csv").write_text(row.read_text())
        (parts / "2.csv").write_text("")
        for out, data, schema in [("a", header, self.schema), ("b", nothing, bare), ("c", row, bare),
                                  ("d", parts, bare)]:
            with self.subTest(data=data.name):
                run = self.publish("--quiet", data=data, out=out, schema=schema)
                self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def test_an_interrupt_leaves_nothing_behind(self):
        big = self.folder / "big.csv"
        with big.open("w") as file:
            file.write("age,ward,smoker,outcome\n")
            chunk = "\n".join(rows(5000)) + "\n"
            for _ in range(200):
                file.write(chunk)
        for delay in [0.05, 0.3, 0.6]:
            process = subprocess.Popen(
                [PRIVPFC, "publish", big, "--schema", self.schema, "--epsilon", "1", "--out",
                 self.folder / "release", "--threads", "1"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            code = process.wait()
            self.assertIn(code, (0, 130, -signal.SIGINT))
            self.assertEqual([p for p in self.folder.iterdir() if "unfinished" in p.name], [])
            if code == 0 or (self.folder / "release").exists():
                self.assertEqual(self.run_privpfc("verify", self.folder / "release").returncode, 0)
                subprocess.run(["rm", "-rf", self.folder / "release"], check=True)

    def test_an_interrupt_after_the_release_ends_the_program_and_keeps_the_release(self):
        release = self.folder / "release"
        code, said = interrupt_when_done(
            [PRIVPFC, "publish", self.data, "--schema", self.schema, "--epsilon", "1", "--out", release,
             "--json", "--quiet"], release.exists)
        self.assertEqual(code, 130)
        self.assertIn("the release had been written", said)
        self.assertEqual(self.run_privpfc("verify", release).returncode, 0)

    def test_an_interrupt_after_the_debit_says_what_was_debited(self):
        for attempt in range(10):
            self.ledger = self.folder / f"{attempt}.db"
            ledger = self.open_ledger()
            release = self.folder / f"release{attempt}"
            # At so small an epsilon there are many rows to write.
            code, said = interrupt_when_done(
                [PRIVPFC, "publish", self.data, "--schema", self.schema, "--epsilon", "0.00001", "--out", release,
                 *ledger, "--threads", "1", "--json", "--quiet"], lambda: is_debited(self.ledger, "publish", 0.02))
            self.assertEqual(code, 130)
            if not release.exists() and "may have been debited" not in said:
                break  # not too late, nor too early
        self.assertEqual(said, "\nprivpfc: interrupted; no release was written\n"
                         "privpfc: epsilon 0.00001 was debited from 'clinic' and is not paid back\n")
        self.assertEqual(self.spent(), 0.00001)

    def on_a_terminal(self, release, *ledger, ignore_hang_up):
        """A publisher that has many rows to write, on a terminal that is closed once it has debited."""
        ours, theirs = open_terminal()
        hang_up = signal.SIG_IGN if ignore_hang_up else signal.SIG_DFL
        with subprocess.Popen([PRIVPFC, "publish", self.data, "--schema", self.schema, "--epsilon", "0.00001", "--out",
                               release, *ledger, "--threads", "1", "--max-rows", "5000000"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs,
                              preexec_fn=lambda: signal.signal(signal.SIGHUP, hang_up)) as process:
            os.close(theirs)
            said = b""
            while b"class counts ..." not in said:
                said += os.read(ours, 4096)
            os.close(ours)
            if not ignore_hang_up:
                process.send_signal(signal.SIGHUP)  # as a session's end does; this is no session
            return process.wait(timeout=300)

    def test_a_terminal_that_is_gone_after_the_debit_does_not_cost_the_release(self):
        ledger = self.open_ledger()
        release = self.folder / "release"
        # What it would have said last does not arrive.
        self.assertEqual(self.on_a_terminal(release, *ledger, ignore_hang_up=True), 6)
        self.assertEqual(self.spent(), 0.00001)
        self.assertEqual(self.run_privpfc("inspect", release).returncode, 0)

    def test_the_end_of_a_session_leaves_nothing_behind(self):
        code = self.on_a_terminal(self.folder / "release", *self.open_ledger(), ignore_hang_up=False)
        self.assertEqual(code, 130)
        self.assertEqual([p.name for p in self.folder.iterdir() if "release" in p.name], [])

    def refused_schemas(self):
        """Sound schemas of which no release could be made: why, flags, schema."""
        fields = "  age: {type: integer, domain: [0, 119], levels: [2], missing: []}\n"
        label = "name: clinic\nlabel: {column: outcome, classes: [well, ill], other: well}\nattributes:\n"
        unread = "ignore: [ward, smoker]\n"
        yield "'outcome': of the label and of the attribute 'outcome'", [], (
            label + "  outcome: {column: age, type: integer, domain: [0, 119], levels: [2], missing: []}\n" + unread)
        yield "'age_lo': of the attribute 'age' and of", ["--numeric", "labels"], (
            label + fields + "  age_lo: {column: ward, type: categorical, values: [Heart, Bone], other: Bone}\n"
            "ignore: [smoker]\n")
        yield "'count ill': of the class 'ill' and of", [], (
            label + fields.replace("age:", "count ill: ", 1).replace("{", "{column: age, ", 1) + unread)

    def test_a_schema_whose_columns_would_have_one_name_is_refused_before_the_debit(self):
        ledger = self.open_ledger()
        for why, flags, text in self.refused_schemas():
            with self.subTest(why=why):
                schema = self.write("twice.yaml", text)
                lint = self.run_privpfc("schema", "lint", schema)
                self.assertEqual((lint.returncode, "warning: cannot be published" in lint.stdout), (0, not flags))
                run = self.publish(*ledger, *flags, schema=schema)
                self.assertEqual(run.returncode, 4, run.stderr)
                self.assertIn(why, run.stderr)
                self.assertEqual(self.spent(), 0)

    def test_a_label_without_a_name_finds_one_that_is_free(self):
        schema = self.write("bare.yaml", "name: clinic\ncsv: {header: false}\n"
                            "label: {column: 3, classes: [well, ill], other: well}\nattributes:\n"
                            "  class: {column: 1, type: integer, domain: [0, 119], levels: [2], missing: []}\n"
                            "  label: {column: 2, type: categorical, values: [Heart, Bone], other: Bone}\n")
        data = self.write("bare.csv", "30,Heart,ill\n40,Bone,well\n" * 200)
        run = self.publish("--all-columns", data=data, schema=schema)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.run_privpfc("verify", self.folder / "release").returncode, 0)

    def test_a_schema_that_grows_too_large_in_a_release_is_refused_before_the_debit(self):
        many = "".join(f"  a{i}: {{column: {'age' if i == 0 else f'x{i}'}, type: integer, domain: [0, 15999], missing: [], "
                       "levels: [16000, 8000, 4000, 2000, 1000, 500, 100]}\n" for i in range(14))
        schema = self.write("large.yaml", "name: clinic\nlabel: {column: outcome, classes: [well, ill], other: well}\n"
                            "attributes:\n" + many)
        data = self.write("large.csv", ",".join(["age", *(f"x{i}" for i in range(1, 14)), "outcome"]) + "\n"
                          + "1," * 14 + "ill\n")
        self.assertEqual(self.run_privpfc("schema", "lint", schema).returncode, 0)
        ledger = self.open_ledger()
        trained = self.run_privpfc("train", data, "--schema", schema, "--private", "nb-laplace", "--epsilon", "1",
                                   "--out", self.folder / "model.json", *ledger)
        for run in (self.publish(*ledger, data=data, schema=schema), trained):
            self.assertEqual(run.returncode, 7, run.stderr)
            self.assertIn("could not be read again", run.stderr)
        self.assertEqual(self.spent(), 0)

    def test_names_that_are_no_text_do_not_end_the_program(self):
        odd = os.fsencode(self.folder) + b"/o\xff"
        run = subprocess.run([PRIVPFC, "publish", self.data, "--schema", self.schema, "--epsilon", "1", "--out", odd,
                              "--dry-run", "--json", "--quiet"], capture_output=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(json.loads(run.stdout)["out"].endswith("o\ufffd"))
        named = subprocess.run([PRIVPFC, "ledger", "init", "--ledger", self.ledger, "--dataset", b"caf\xe9", "--cap", "1"],
                               capture_output=True, check=False)
        self.assertEqual(named.returncode, 2)
        self.assertIn(b"printable characters (UTF-8)", named.stderr)

    def test_a_release_of_a_stranger_does_not_hang_verify_nor_write_on_the_terminal(self):
        self.assertEqual(self.publish().returncode, 0)
        release = self.folder / "release"
        (release / "x\nok    everything").write_text("")
        run = self.run_privpfc("verify", release)
        self.assertEqual(run.returncode, 1)
        self.assertIn("also there: x\\x0aok    everything", run.stdout)
        (release / "README.md").unlink()
        os.mkfifo(release / "README.md")
        run = subprocess.run([PRIVPFC, "verify", release], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertIn("FAIL  file README.md: missing or unreadable", run.stdout)
        manifest = release / "manifest.json"
        manifest.write_text(manifest.read_text().replace('"grid selection"', '"\\u001b[2Jgrid selection"'))
        shown = self.run_privpfc("inspect", release)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("\\x1b[2Jgrid selection", shown.stdout)
        self.assertNotIn("\x1b", shown.stdout)

    def test_a_disk_that_fills_up_after_the_debit_does_not_hide_it(self):
        ledger = self.open_ledger()
        many = self.write("many.csv", "age,ward,smoker,outcome\n" + "\n".join(rows(50_000)) + "\n")
        # Enough for the ledger, and not for so many rows.
        run = subprocess.run(
            [PRIVPFC, "publish", many, "--schema", self.schema, "--epsilon", "1", "--out", self.folder / "release",
             *ledger, "--quiet"], capture_output=True, text=True, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (25_000, 25_000)))
        self.assertEqual(run.returncode, 6)
        self.assertTrue(run.stderr.endswith(
            "\nprivpfc: epsilon 1 was debited from 'clinic' and is not paid back\n"), run.stderr)
        self.assertEqual(self.spent(), 1)

    def test_a_standard_output_that_fails_does_not_hide_the_release(self):
        ledger = self.open_ledger()
        reader, closed = os.pipe()
        os.close(reader)
        with open("/dev/full", "w") as full, os.fdopen(closed, "w") as unread:
            for name, output in (("full", full), ("unread", unread)):
                release = self.folder / name
                run = subprocess.run(
                    [PRIVPFC, "publish", self.data, "--schema", self.schema, "--epsilon", "1", "--out", release, *ledger,
                     "--json", "--quiet"], stdout=output, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(run.returncode, 6)
                self.assertIn("privpfc: cannot write to standard output: ", run.stderr)
                self.assertIn(f"privpfc: the release is in {release}, and epsilon 1 was debited from 'clinic'\n",
                              run.stderr)
                self.assertEqual(self.run_privpfc("verify", release).returncode, 0)

    def test_an_empty_argument_does_not_pass_by_the_ledger(self):
        ledger = self.open_ledger(cap="1")
        self.assertEqual(self.publish(*ledger).returncode, 0)
        for flags in (["--ledger", "", "--dataset", "clinic"], ["--ledger=", "--dataset=clinic"],
                      ["--ledger", self.ledger, "--dataset", ""]):
            with self.subTest(flags=flags):
                run = self.publish("--quiet", *flags, out="second")
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn("is empty; is a variable not set?", run.stderr)
        self.assertFalse((self.folder / "second").exists())
        self.assertFalse((self.folder / "privpfc-ledger.db").exists())

    def test_what_is_refused_is_not_said_to_be_debited(self):
        ledger = self.open_ledger(cap="0.5")
        run = self.publish(*ledger)
        self.assertEqual(run.returncode, 5)
        self.assertNotIn("debited", run.stderr)

    def test_no_ledger_is_kept_where_anybody_may_write(self):
        self.folder.chmod(0o1777)
        run = self.publish()
        self.assertEqual(run.returncode, 6)
        self.assertIn("anybody may write to", run.stderr)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["d.csv", "s.yaml"])

    def test_the_locale_changes_nothing(self):
        for locale in ["de_DE.UTF-8", "C"]:
            run = self.publish("--json", out=f"in-{locale}",
                               env={**os.environ, "LC_ALL": locale, "LANG": locale})
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(json.loads(run.stdout)["privacy"]["epsilon"], "1")

    def test_plan_needs_no_data(self):
        run = self.run_privpfc("plan", "--schema", self.schema, "--rows", "~5000", "--epsilon",
                               "0.1,1", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        plans = json.loads(run.stdout)
        self.assertEqual([plan["epsilon"] for plan in plans], ["0.1", "1"])
        self.assertLess(plans[0]["most_cells"], plans[1]["most_cells"])
        self.assertEqual(
            self.run_privpfc("plan", "--schema", self.schema, "--rows", "many", "--epsilon",
                             "1").returncode, 2)

    def test_plan_refuses_the_limits_that_publish_refuses(self):
        for flags in (["--max-cells", "1"], ["--max-grids", "0"], ["--max-grids", "63"]):
            with self.subTest(flags=flags):
                run = self.run_privpfc("plan", "--schema", self.schema, "--rows", "50", "--epsilon", "1", *flags)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertEqual(self.publish(*flags).returncode, 2)

    def test_plan_counts_one_row_and_quotes_what_a_shell_would_read(self):
        run = self.run_privpfc("plan", "--schema", self.schema, "--rows", "1", "--epsilon", "100")
        self.assertIn("about 1 row, 3 attributes, 2 classes.", run.stdout)
        self.assertNotRegex(run.stdout, r"\b1 rows")
        self.assertIn("--rows '~10000'", self.run_privpfc("plan", "--help").stdout)

    def test_the_help_says_when_a_data_set_must_be_named(self):
        for command in ("publish", "train"):
            said = " ".join(self.run_privpfc(command, "--help").stdout.split())
            self.assertIn("required with --ledger", said)

    def test_an_epsilon_without_a_leading_zero_is_refused_with_what_to_write(self):
        run = self.publish(epsilon=".5")
        self.assertEqual(run.returncode, 2)
        self.assertIn("it is not digits, or digits on both sides of one point; write a plain decimal such as 0.5",
                      run.stderr)

    def test_every_command_explains_itself(self):
        for command in ["publish", "check", "plan", "inspect", "verify", "sample"]:
            run = self.run_privpfc(command, "--help")
            self.assertEqual(run.returncode, 0)
            self.assertIn("Example", run.stdout)
        self.assertEqual(self.run_privpfc().returncode, 2)
        self.assertEqual(self.run_privpfc("nonsense").returncode, 2)


if __name__ == "__main__":
    unittest.main()
