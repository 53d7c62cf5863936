#!/usr/bin/env python3
"""`privpfc train --private` from outside: train_private_command_test.py PRIVPFC."""

import json
import os
import resource
import signal
import subprocess
import unittest

from blocked_output import interrupt_when_done, is_debited
from tool_case import TOOL, ToolCase

METHODS = ("nb-laplace", "nb-smooth", "nb-bun-steinke", "logistic-objective", "svm-objective", "svm-output",
           "svm-objective-rff")


class TrainPrivately(ToolCase):
    @classmethod
    def setUpClass(cls):
        cls.samples = cls.shared_folder()
        cls.make_sample(cls.samples / "rows.csv", cls.samples / "rows.yaml", 800)

    def train(self, *more, method="nb-laplace", data=None, out="m.json", epsilon="0.5"):
        return self.run_tool("train", data or self.samples / "rows.csv", "--schema", self.samples / "rows.yaml",
                             "--private", method, "--epsilon", epsilon, "--out", out, *more)

    def init(self, cap="1"):
        done = self.run_tool("ledger", "init", "--ledger", "l.db", "--dataset", "d", "--cap", cap)
        self.assertEqual(done.returncode, 0, done.stderr)

    def account(self):
        return json.loads(self.run_tool("ledger", "show", "--ledger", "l.db", "--json").stdout)["datasets"][0]

    def test_a_model_is_trained_debited_and_predicts(self):
        for method in METHODS:
            with self.subTest(method=method):
                done = self.train("--json", method=method, out=f"{method}.json")
                self.assertEqual(done.returncode, 0, done.stderr)
                summary = json.loads(done.stdout)
                self.assertTrue(summary["private"])
                self.assertEqual((summary["method"], summary["epsilon"]), (method, "0.5"))
                model = json.loads((self.dir / f"{method}.json").read_text())
                self.assertIn("epsilon 0.5 under adding or removing one row", model["guarantee"])
                self.assertIn(method, model["guarantee"])
                self.assertEqual(os.stat(self.dir / f"{method}.json").st_mode & 0o077, 0)
                done = self.run_tool("predict", self.samples / "rows.csv", "--model", f"{method}.json", "--out",
                                     f"{method}.csv")
                self.assertEqual(done.returncode, 0, done.stderr)
        ledger = json.loads(self.run_tool("ledger", "show", "--ledger", "privpfc-ledger.db", "--json").stdout)
        self.assertEqual([entry["purpose"] for entry in ledger["entries"][1:]], [f"train {m}" for m in METHODS])
        self.assertEqual(ledger["datasets"][0]["spent"], 0.5 * len(METHODS))

    def test_trees_and_forests_are_trained_and_predict(self):
        self.init("10")
        named = ("--ledger", "l.db", "--dataset", "d")
        for method in ("tree-cart", "tree-sulq-id3", "tree-friedman-schuster", "tree-mohammed", "forest-patil-singh",
                       "forest-random", "forest-fletcher-islam-2015a", "forest-fletcher-islam-2015b",
                       "forest-fletcher-islam-2016"):
            with self.subTest(method=method):
                done = self.train(*named, method=method, out=f"{method}.json")
                self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
                model = json.loads((self.dir / f"{method}.json").read_text())
                self.assertEqual(model["model"], method.split("-")[0])
                done = self.run_tool("predict", self.samples / "rows.csv", "--model", f"{method}.json", "--out",
                                     f"{method}.csv")
                self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.account()["spent"], 4.5)

    def test_the_options_of_trees_are_obeyed_and_checked_before_a_debit(self):
        self.init("10")
        named = ("--ledger", "l.db", "--dataset", "d")
        done = self.train(*named, "--forest-trees", 3, "--tree-depth", 2, method="forest-random")
        self.assertEqual(done.returncode, 0, done.stderr)
        trees = json.loads((self.dir / "m.json").read_text())["parameters"]["trees"]
        self.assertEqual([len(tree["nodes"]) for tree in trees], [7, 7, 7])
        for score in ("gini", "errors", "entropy"):
            done = self.train(*named, "--tree-score", score, "--tree-depth", 1, "--tree-no-pruning",
                              method="tree-friedman-schuster", out=f"{score}.json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(json.loads((self.dir / f"{score}.json").read_text())["parameters"]["nodes"]), 3)
        spent = self.account()["spent"]
        for flag, value in (("--tree-depth", 0), ("--tree-depth", 17), ("--forest-trees", 0), ("--tree-score", "ratio")):
            done = self.train(*named, flag, value, method="forest-random", out="bad.json")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(self.account()["spent"], spent)
        self.assertFalse((self.dir / "bad.json").exists())

    def test_the_budget_is_debited_and_refused_beyond_the_cap(self):
        self.init("0.7")
        named = ("--ledger", "l.db", "--dataset", "d")
        self.assertEqual(self.train(*named).returncode, 0)
        self.assertEqual(self.account()["spent"], 0.5)
        done = self.train(*named, out="n.json")
        self.assertEqual((done.returncode, done.stdout), (5, ""))
        self.assertFalse((self.dir / "n.json").exists())
        self.assertEqual(self.account()["spent"], 0.5)
        self.assertEqual(self.train(*named, out="n.json", epsilon="0.2").returncode, 0)
        self.assertEqual((self.account()["spent"], self.account()["left"]), (0.7, 0))

    # Trains for long, and needs much memory.
    LONG = ("--private", "svm-objective-rff", "--rff-frequencies", "2000", "--epsilon", "0.5", "--quiet")

    def long_command(self):
        return [TOOL, "train", self.samples / "rows.csv", "--schema", self.samples / "rows.yaml", *self.LONG,
                "--out", self.dir / "m.json", "--ledger", self.dir / "l.db", "--dataset", "d"]

    def test_an_interrupt_says_what_was_debited_and_leaves_nothing(self):
        self.init()
        before = sorted(self.dir.iterdir())
        code, said = interrupt_when_done(self.long_command(), lambda: is_debited(self.dir / "l.db", "train svm"))
        self.assertEqual((code, said), (130, "\nprivpfc: interrupted; no model was written\n"
                                        "privpfc: epsilon 0.5 was debited from 'd' and is not paid back\n"))
        self.assertEqual(sorted(self.dir.iterdir()), before)
        self.assertEqual(self.account()["spent"], 0.5)

    def test_an_interrupt_after_the_model_says_where_it_is(self):
        self.init()
        model = self.dir / "m.json"
        code, said = interrupt_when_done(
            [TOOL, "train", self.samples / "rows.csv", "--schema", self.samples / "rows.yaml", "--private", "nb-laplace",
             "--epsilon", "0.5", "--out", model, "--ledger", self.dir / "l.db", "--dataset", "d", "--json"], model.exists)
        self.assertEqual((code, said), (130, f"\nprivpfc: interrupted\nprivpfc: the model is in {model}, and epsilon 0.5 "
                                             "was debited from 'd'\n"))

    def test_a_program_that_aborts_says_what_was_debited(self):
        self.init()
        code, said = interrupt_when_done(self.long_command(), lambda: is_debited(self.dir / "l.db", "train svm"),
                                         signal.SIGABRT)
        self.assertEqual((code, said),
                         (-signal.SIGABRT, "privpfc: epsilon 0.5 was debited from 'd' and is not paid back\n"))

    def test_want_of_memory_after_the_debit_does_not_hide_it(self):
        self.init()
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))}
        if subprocess.run([TOOL, "--version"], capture_output=True, **limit).returncode != 0:
            self.skipTest("this build does not start with so little memory")
        done = subprocess.run([*map(str, self.long_command())], capture_output=True, text=True, **limit)
        self.assertEqual((done.returncode, done.stderr),
                         (7, "privpfc: out of memory\nprivpfc: epsilon 0.5 was debited from 'd' and is not paid back\n"))
        self.assertEqual(self.account()["spent"], 0.5)

    def test_a_standard_output_that_fails_does_not_hide_the_model(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [TOOL, "train", self.samples / "rows.csv", "--schema", self.samples / "rows.yaml", "--private",
                 "nb-laplace", "--epsilon", "0.5", "--out", "m.json", "--json", "--quiet"],
                cwd=self.dir, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 6)
        self.assertIn("privpfc: the model is in m.json, and epsilon 0.5 was debited from 'readmission'\n", done.stderr)

    def test_what_is_refused_costs_nothing_and_leaves_nothing(self):
        self.init()
        named = ("--ledger", "l.db", "--dataset", "d")
        (self.dir / "there.json").write_text("precious")
        (self.dir / "short.csv").write_text("a,b\n1,2\n")
        for code, arguments, more in (
                (2, {"method": "nb-oracle"}, ()),
                (2, {"epsilon": "0"}, ()),
                (2, {"epsilon": "-1"}, ()),
                (2, {"epsilon": "0.000000009"}, ()),
                (2, {"method": "svm-objective"}, ("--lambda", "1")),
                (2, {"method": "svm-objective"}, ("--huber-width", "0")),
                (2, {"method": "svm-objective-rff"}, ("--rff-frequencies", "0")),
                (2, {"method": "logistic-objective"}, ("--lambda", "-1")),
                (2, {}, ("--nb-shares", "1,2")),
                (2, {}, ("--nb-shares", "0,1,2")),
                (2, {}, ("--nb-numbers", "rough")),
                (2, {}, ("--numbers", "bins")),
                (2, {}, ("--kernel", "rbf")),
                (2, {}, ("--tree-depth", "2")),
                (2, {}, ("--seed", "2")),
                (2, {"method": "svm-objective-rff"}, ("--rff-gamma", "1e-10")),
                (2, {}, ("--nb-trim", "50")),
                (2, {}, ("--nb-delta", "1")),
                (2, {"method": "nb-smooth", "epsilon": "0.000009"}, ()),
                (2, {}, ("--model", "tree")),
                (3, {"data": "short.csv"}, ()),
                (6, {"data": "absent.csv"}, ()),
                (6, {"out": "there.json"}, ())):
            with self.subTest(code=code, arguments=arguments, more=more):
                done = self.train(*named, *more, **arguments)
                self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
                self.assertFalse((self.dir / "m.json").exists())
                self.assertEqual(self.account()["spent"], 0)
        self.assertEqual((self.dir / "there.json").read_text(), "precious")

    def test_an_option_that_the_method_has_no_use_for_is_named_and_costs_nothing(self):
        self.init()
        for method, flag, value, owners in (
                ("nb-laplace", "--tree-depth", "2", "--private tree-..., forest-..."),
                ("nb-laplace", "--kernel", "rbf", "--model svm"),
                ("nb-laplace", "--nb-trim", "5", "--private nb-smooth, nb-bun-steinke, nb-smooth-delta"),
                ("nb-smooth", "--nb-delta", "1e-6", "--private nb-smooth-delta"),
                ("logistic-objective", "--huber-width", "0.1", "--private svm-..."),
                ("svm-objective", "--rff-seed", "2", "--private svm-objective-rff"),
                ("tree-cart", "--forest-trees", "2", "--private forest-..."),
                ("forest-fletcher-islam-2015b", "--seed", "2", "training without --private")):
            with self.subTest(method=method, flag=flag):
                done = self.train("--ledger", "l.db", "--dataset", "d", flag, value, method=method)
                self.assertEqual((done.returncode, done.stdout, done.stderr),
                                 (2, "", f"privpfc: {flag} is for {owners}; --private {method} has no use for it\n"))
        self.assertEqual(self.account()["spent"], 0)
        self.assertFalse((self.dir / "m.json").exists())

    def test_every_option_is_of_use_to_every_method_that_its_help_names(self):
        self.init("100")
        names = {"nb-...": ("nb-laplace", "nb-smooth", "nb-bun-steinke"), "svm-...": ("svm-objective", "svm-output"),
                 "tree-...": ("tree-cart", "tree-mohammed"), "forest-...": ("forest-random", "forest-patil-singh")}
        for flags, methods in ((("--lambda", "10000"), ("svm-...", "logistic-objective")),
                               (("--huber-width", "0.1", "--regularisation", "0.01"), ("svm-...",)),
                               (("--linear-attributes", "2"), ("svm-objective", "svm-output", "logistic-objective")),
                               (("--rff-frequencies", "2", "--rff-gamma", "0.5", "--rff-seed", "2"),
                                ("svm-objective-rff",)),
                               (("--nb-density", "truncated", "--nb-shares", "1,1,1"), ("nb-...",)),
                               (("--nb-trim", "10"), ("nb-smooth", "nb-bun-steinke")),
                               (("--tree-depth", "2"), ("tree-...", "forest-...")),
                               (("--forest-trees", "2"), ("forest-...",)),
                               (("--tree-score", "gini"), ("tree-friedman-schuster", "tree-mohammed",
                                                           "forest-patil-singh", "forest-fletcher-islam-2015a")),
                               (("--tree-no-pruning",), ("tree-friedman-schuster", "forest-fletcher-islam-2015a",
                                                         "forest-fletcher-islam-2015b")),
                               (("--tree-seed", "2"), ("forest-patil-singh", "forest-random",
                                                       "forest-fletcher-islam-2015b", "forest-fletcher-islam-2016"))):
            for method in (one for name in methods for one in names.get(name, (name,))):
                with self.subTest(flags=flags, method=method):
                    done = self.train("--ledger", "l.db", "--dataset", "d", "--quiet", *flags, method=method,
                                      out=f"{method}{flags[0]}.json")
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_delta_too_small_to_be_shared_is_refused_with_the_least(self):
        named = ("--ledger", "l.db", "--dataset", "d")
        self.run_tool("ledger", "init", *named, "--cap", "1", "--delta-cap", "1e-6")
        done = self.train(*named, "--nb-delta", "1e-18", method="nb-smooth-delta")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        least = done.stderr.strip().rsplit(" ", 1)[1]
        self.assertIn("is too small to be shared by", done.stderr)
        self.assertEqual((self.account()["spent"], self.account()["delta_spent"]), (0, "0"))
        done = self.train(*named, "--nb-delta", least, method="nb-smooth-delta")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_options_are_taken(self):
        for more in (("--nb-numbers", "gaussian"), ("--nb-shares", "1,2,3"),
                     ("--nb-numbers", "gaussian", "--nb-density", "truncated"), ("--model", "nb")):
            out = f"{'-'.join(more)}.json".replace("--", "").replace(",", "")
            done = self.train(*more, "--quiet", out=out)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), more)

    def test_a_delta_needs_a_ledger_that_allows_it(self):
        done = self.train(method="nb-smooth-delta")
        self.assertEqual((done.returncode, done.stdout), (5, ""))
        self.assertIn("--delta-cap", done.stderr)
        self.assertFalse((self.dir / "m.json").exists())
        named = ("--ledger", "l.db", "--dataset", "d")
        done = self.run_tool("ledger", "init", *named, "--cap", "2", "--delta-cap", "0.000002")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.train(*named, "--json", "--nb-delta", "1.5e-6", method="nb-smooth-delta")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["delta"], "1.5e-6")
        guarantee = json.loads((self.dir / "m.json").read_text())["guarantee"]
        self.assertIn("epsilon 0.5 and delta 1.5e-6 under adding or removing one row (approximate", guarantee)
        self.assertEqual((self.account()["delta_spent"], self.account()["delta_cap"]), ("1.5e-6", "2e-6"))
        done = self.train(*named, method="nb-smooth-delta", out="n.json")
        self.assertEqual((done.returncode, done.stdout), (5, ""))
        self.assertFalse((self.dir / "n.json").exists())
        self.assertEqual((self.account()["spent"], self.account()["delta_spent"]), (0.5, "1.5e-6"))
        self.assertEqual(self.train(*named, out="n.json").returncode, 0)  # pure ones go on

    def test_no_value_makes_training_fail_or_speak(self):
        text = (self.samples / "rows.csv").read_text().splitlines()
        fields = len(text[0].split(","))
        said = {method: set() for method in METHODS}
        for index, row in enumerate(("", ",".join([""] * fields), ",".join(["nan"] * fields),
                                     ",".join(["1e309"] * fields), ",".join(["-7"] * fields))):
            (self.dir / f"{index}.csv").write_text("\n".join([text[0], *([row] if row else text[1:])]) + "\n")
            for method in METHODS:
                out = f"{method}{index}.json"
                done = self.train(method=method, data=f"{index}.csv", out=out)
                self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
                said[method].add(done.stderr.replace(out, "OUT"))
        for method in METHODS:
            self.assertEqual(len(said[method]), 1, said[method])

    def test_a_marker_in_private_cells_is_found_nowhere_afterwards(self):
        marker = "Zq7Marker"
        lines = (self.samples / "rows.csv").read_text().splitlines()
        (self.dir / "data").mkdir()
        marked = self.dir / "data" / "marked.csv"
        marked.write_text("\n".join([lines[0], ",".join([marker] * len(lines[0].split(","))), *lines[1:]]) + "\n")
        for method in METHODS:
            for more in ((), ("--json",)):
                done = self.train(*more, method=method, data=marked, out=f"{method}{len(more)}.json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn(marker, done.stdout + done.stderr)
        for path in self.dir.iterdir():
            if path.is_file():
                self.assertNotIn(marker.encode(), path.read_bytes(), path)


if __name__ == "__main__":
    unittest.main()
