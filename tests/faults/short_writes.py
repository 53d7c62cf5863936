"""Writes that accept half of what they are given: nothing may be lost, and nothing may fail."""

import contextlib
import pathlib
import subprocess
import tempfile

from place import NotReached, Place, require

SOURCE = pathlib.Path(__file__).with_name("short_writes.c")


@contextlib.contextmanager
def library():
    """The compiled library, as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="privpfc-faults-") as folder:
        built = f"{folder}/short_writes.so"
        subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", built, SOURCE],
                       check=True)
        yield built


def watched(task, place, env):
    """The run, how many writes there were, and how many of them fell short."""
    report = place.folder / "report"
    run = place.run(*task.arguments(place), env={**env, "SHORT_WRITES_REPORT": str(report)})
    return run, *map(int, report.read_text().split() if report.exists() else [0, 0])


def writes_of(task, privpfc, built):
    """How many there are in an undisturbed run."""
    with Place(privpfc) as place:
        task.prepare(place)
        run, writes, _ = watched(task, place, {"LD_PRELOAD": built})
        if run.code != 0:
            raise SystemExit(f"faults: {task.name} fails without a fault: {run.err}")
        return writes


def suffer(task, privpfc, built, first, last):
    env = {"LD_PRELOAD": built, "SHORT_WRITES_FROM": str(first)}
    if last is not None:
        env["SHORT_WRITES_TO"] = str(last)
    with Place(privpfc) as place:
        task.prepare(place)
        run, _, fell_short = watched(task, place, env)
        debits = task.check(place, run)
        require(run.code == 0, f"fails: {run.code}: {run.err.strip()[:300]}")
        task.check_rerun(place, debits)
        if fell_short == 0:
            raise NotReached


def all_of(task, privpfc, built):
    """(group, description, what to do)"""
    for first in range(1, writes_of(task, privpfc, built) + 1):
        for last in [first, None]:
            yield (f"{task.name}: a write accepts half",
                   f"{task.name}: short write {first}{'' if last else '+'}",
                   lambda first=first, last=last: suffer(task, privpfc, built, first, last))
