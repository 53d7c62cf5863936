"""A folder with private rows, the commands that are disturbed in it, and what must hold afterwards."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile

SCHEMA = """
name: clinic
label: {column: outcome, classes: [well, ill], other: well}
attributes:
  age:  {type: integer, domain: [0, 119], levels: [12, 6, 2], missing: ["", NA]}
  ward: {type: categorical, missing: ["?", ""], tree: {Surgery: [Heart, Bone], Lung: }}
  smoker: {type: boolean, other: "false"}
"""
# In private cells, where nobody may find it again.
MARKER = "Zanzibar-7349"
PATIENCE_SECONDS = 100

# What the manual page promises of runs that are disturbed: fine, input data, schema, budget, ledger
# or I/O, a limit, interrupted.
INTERRUPTED = 130
CODES = {0, 3, 4, 5, 6, 7, INTERRUPTED}


def memory_place():
    """Where files cost no disk; the faults are the same."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def private_rows(count):
    source = random.Random(1)
    for _ in range(count):
        age = source.randrange(120)
        ward = source.choice(["Heart", "Bone", "Lung", MARKER])
        ill = source.random() < (0.8 if age > 60 and ward == "Heart" else 0.2)
        yield f"{age},{ward},{source.choice(['yes', MARKER])},{'ill' if ill else 'well'}"


class Run:
    """A finished process."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def killed(self):
        return self.code in (-signal.SIGKILL, 128 + signal.SIGKILL)


class Place:
    """Input, schema, and whatever a command makes of them."""

    def __init__(self, privpfc, parent=None):
        self.privpfc = os.path.abspath(privpfc)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="privpfc-faults-",
                                                    dir=parent or memory_place()))
        self.work = self.folder / "work"
        self.temporary = self.folder / "tmp"
        self.work.mkdir()
        self.temporary.mkdir()
        self.schema = self.folder / "schema.yaml"
        self.schema.write_text(SCHEMA)
        self.data = self.folder / "private.csv"
        lines = ["age,ward,smoker,outcome", *private_rows(300)]
        self.data.write_text("\n".join(lines) + "\n")
        self.ledger = self.work / "ledger.db"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *arguments, before=(), env=None, **options):
        env = {**os.environ, "TMPDIR": str(self.temporary), "MALLOC_ARENA_MAX": "1", **(env or {})}
        command = [*map(str, before), self.privpfc, *map(str, arguments)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, env=env, check=False,
                                  cwd=self.folder, timeout=PATIENCE_SECONDS, **options)
        except subprocess.TimeoutExpired:
            return Run(None, "", f"no end after {PATIENCE_SECONDS} s")
        return Run(done.returncode, done.stdout, done.stderr)

    def debits(self, ledger):
        """How many withdrawals of epsilon 1 are on record; an error if the ledger is not sound."""
        verified = self.run("ledger", "verify", "--ledger", ledger)
        if verified.code != 0:
            raise Broken(f"the ledger does not verify: {verified.err.strip()}")
        shown = self.run("ledger", "show", "--ledger", ledger, "--json")
        if shown.code != 0:
            raise Broken(f"the ledger cannot be shown: {shown.err.strip()}")
        datasets = json.loads(shown.out)["datasets"]
        return round(sum(dataset["spent"] for dataset in datasets))

    def strangers(self, expected):
        """Names in the folders that nobody asked for."""
        return sorted([p.name for p in self.work.iterdir() if p.name not in expected]
                      + [p.name for p in self.temporary.iterdir()])

    def require_no_marker(self, *runs):
        """No private value in what was said, nor in any file but the input."""
        require(not any(MARKER in run.out + run.err for run in runs),
                "a private value in what was said")
        marked = sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*")
                        if p.is_file() and p != self.data and MARKER.encode() in p.read_bytes())
        require(not marked, f"a private value in {marked}")


class Broken(Exception):
    """An invariant did not hold."""


class NotReached(Exception):
    """All held, but the fault did not happen: it does not count."""


def require(holds, what):
    if not holds:
        raise Broken(what)


class Task:
    """A command that spends and writes, and how its result is looked at."""

    name = ""
    result = ""       # the name of what it makes
    spends = 1        # epsilon, in whole
    first_ledger = True

    def prepare(self, place):
        if self.first_ledger:
            made = place.run("ledger", "init", "--ledger", place.ledger, "--dataset", "clinic",
                             "--cap", "9")
            require(made.code == 0, f"no ledger: {made.err}")

    def ledger(self, place):
        return place.ledger

    def needs(self, what):
        """Whether it fails where it may not use this: the ledger, the folder or the input."""
        return what != "ledger" or self.first_ledger

    def arguments(self, place):
        raise NotImplementedError

    def is_whole(self, place):
        raise NotImplementedError

    def is_there(self, place):
        return os.path.lexists(place.work / self.result)

    def discard(self, place):
        path = place.work / self.result
        if path.is_dir():
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()

    def check(self, place, run, spent_before=0, may_litter=False, may_leave_journal=False,
              may_be_silent=False, may_abort=False):
        """What must hold after `run`, whatever went wrong in it. Gives the debits on record."""
        require(run.code is not None, run.err)
        place.require_no_marker(run)
        aborted = may_abort and run.code in (-signal.SIGABRT, 128 + signal.SIGABRT)
        require(run.killed or run.code in CODES or aborted,
                f"an exit code that is not documented: {run.code}: {run.err.strip()[:300]}")
        require(run.killed or run.code == 0 or may_be_silent or run.err.strip(), "failed in silence")
        there = self.is_there(place)
        require(run.code != 0 or there, "said to be done, but there is nothing")
        if there:
            require(self.is_whole(place), "there, but not whole")
        ledger = self.ledger(place)
        debits = place.debits(ledger) if ledger.exists() else 0
        released = self.spends if there else 0
        require(debits >= spent_before + released, f"{debits} on record, but more is released")
        require(debits <= spent_before + self.spends, f"{debits} on record, but less was asked for")
        if not run.killed and not aborted and not may_litter:
            # An interrupt does not wait for a debit to end, and a disk that fails lets none end. The
            # next one needs the journal: SQLite undoes with it what was written in part.
            may_leave_journal = may_leave_journal or run.code == INTERRUPTED
            journal = [ledger.name + "-journal"] if may_leave_journal else []
            strangers = place.strangers([self.result, ledger.name, *journal])
            require(not strangers, f"left behind: {strangers}")
        return debits

    def check_rerun(self, place, spent_before):
        """The same command once more, undisturbed: works, and cleans up."""
        self.discard(place)
        again = place.run(*self.arguments(place))
        require(again.code == 0, f"the next run fails: {again.code}: {again.err.strip()[:300]}")
        debits = self.check(place, again, spent_before)
        require(debits == spent_before + self.spends, "the next run does not cost what it should")


class Publish(Task):
    name = "publish"
    result = "release"

    def arguments(self, place):
        return ["publish", place.data, "--schema", place.schema, "--epsilon", "1", "--out",
                place.work / self.result, "--ledger", place.ledger, "--dataset", "clinic",
                "--all-columns", "--max-rows", "500", "--threads", "1", "--quiet"]

    def is_whole(self, place):
        return place.run("verify", place.work / self.result).code == 0


class FirstPublish(Publish):
    """No ledger yet: it is made on the way."""

    name = "first publish"
    first_ledger = False

    def ledger(self, place):
        return place.work / "privpfc-ledger.db"

    def arguments(self, place):
        whole = super().arguments(place)
        at = whole.index("--ledger")
        return whole[:at] + whole[at + 4:]


class Train(Task):
    name = "train --private"
    result = "model.json"

    def arguments(self, place):
        return ["train", place.data, "--schema", place.schema, "--private", "nb-laplace",
                "--epsilon", "1", "--out", place.work / self.result, "--ledger", place.ledger,
                "--dataset", "clinic"]

    def is_whole(self, place):
        predicted = place.run("predict", place.data, "--model", place.work / self.result, "--out",
                              place.folder / "predicted.csv")
        (place.folder / "predicted.csv").unlink(missing_ok=True)
        return predicted.code == 0


class LedgerInit(Task):
    name = "ledger init"
    result = "ledger.db"
    spends = 0
    first_ledger = False

    def needs(self, what):
        return what == "folder"

    def arguments(self, place):
        return ["ledger", "init", "--ledger", place.ledger, "--dataset", "clinic", "--cap", "9"]

    def is_whole(self, place):
        return place.run("ledger", "verify", "--ledger", place.ledger).code == 0

    def is_there(self, place):
        shown = place.run("ledger", "show", "--ledger", place.ledger, "--json")
        return place.ledger.exists() and bool(json.loads(shown.out or "{}").get("datasets"))

    def discard(self, place):
        for suffix in ("", "-journal"):
            pathlib.Path(f"{place.ledger}{suffix}").unlink(missing_ok=True)


TASKS = [Publish(), FirstPublish(), Train(), LedgerInit()]
