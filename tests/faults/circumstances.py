"""Bad circumstances: a full disk, a read-only place, limits on memory and files, many at once."""

import atexit
import concurrent.futures
import functools
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from place import INTERRUPTED, TASKS, NotReached, Place, Publish, require

KIBI = 1024
NOBODY = 65534


def suffer(task, privpfc, parent=None, spoil=lambda place: {}, mend=lambda place: None,
           may_abort=False):
    """Runs a task in a place that `spoil` has made worse, looks, mends the place, runs it again."""
    with Place(privpfc, parent) as place:
        try:
            task.prepare(place)
            run = place.run(*task.arguments(place), **spoil(place))
            mend(place)
            debits = task.check(place, run, may_abort=may_abort)
            task.check_rerun(place, debits)
            if run.code == 0:
                raise NotReached  # there was room enough
        finally:
            mend(place)


def limited(kind, amount):
    return lambda place: {"preexec_fn": lambda: resource.setrlimit(kind, (amount, amount))}


@functools.cache
def starts_with(privpfc, kind, amount):
    """Whether libraries can be loaded at all under a limit; before that no program can help it."""
    probe = subprocess.run([privpfc, "--version"], capture_output=True, check=False,
                           preexec_fn=limited(kind, amount)(None)["preexec_fn"])
    return probe.returncode == 0


def tight_memory(privpfc):
    """From what the program needs to start (MiB) to what is enough for such a table."""
    least = next(mebi for mebi in range(16, 4096) if starts_with(privpfc, resource.RLIMIT_AS, mebi << 20))
    return range(least, least + 40)


# A file system of its own that leaves `free` KiB.


def on_small_disk(task, privpfc, free):
    # mount(8) leaves nothing behind if this process is killed: `unshare` would hide it from checks.
    with Place(privpfc) as outer:
        disk = outer.folder / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "privpfc-faults", disk], check=True)
        ballast = disk / "ballast"

        def fill(place):
            room = shutil.disk_usage(disk).free - free * KIBI
            ballast.write_bytes(b"\0" * max(0, room))
            return {}

        def empty(place):
            ballast.unlink(missing_ok=True)

        try:
            suffer(task, privpfc, disk, fill, empty)
        finally:
            subprocess.run(["umount", disk], check=True)


@functools.cache
def can_mount():
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    with Place("privpfc") as place:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "privpfc-faults",
                                  place.work], capture_output=True, check=False)
        if mounted.returncode == 0:
            subprocess.run(["umount", place.work], check=True)
        return mounted.returncode == 0


# As somebody who may not write there.


def in_forbidden_place(task, privpfc, what):
    def forbid(place):
        place.folder.chmod(0o755)
        if os.geteuid() == 0:
            for path in [*place.work.iterdir(), place.work, place.temporary]:
                os.chown(path, NOBODY, NOBODY)
        if what == "ledger":
            place.ledger.chmod(0o400)
        elif what == "folder":
            place.work.chmod(0o555)
        elif what == "input":
            place.data.chmod(0)
        return {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}

    def permit(place):
        # Whoever looks afterwards may only look at a ledger of their own.
        for path in [*place.work.iterdir(), place.work]:
            os.chown(path, os.geteuid(), os.getegid())
        place.work.chmod(0o700)
        place.data.chmod(0o600)
        if place.ledger.exists():
            place.ledger.chmod(0o600)

    suffer(task, privpfc, spoil=forbid, mend=permit)


def runs_as_nobody(privpfc):
    try:
        return subprocess.run([privpfc, "--version"], user=NOBODY, group=NOBODY, cwd="/",
                              capture_output=True, check=False).returncode == 0
    except PermissionError:
        return False


@functools.cache
def for_everybody(privpfc):
    """The program where any user may run it: a copy if its own place is closed to others (a checkout
    under /root); none if there is no such place."""
    if os.geteuid() != 0 or runs_as_nobody(privpfc):
        return privpfc
    folder = tempfile.mkdtemp(prefix="privpfc-faults-")
    atexit.register(shutil.rmtree, folder)
    os.chmod(folder, 0o755)
    copy = shutil.copy(privpfc, folder)
    return copy if runs_as_nobody(copy) else None


# Many at once.


def publishers_at_once(privpfc, count, room):
    """Of `count` publishers on a ledger with room for some, exactly these succeed."""
    task = Publish()
    with Place(privpfc) as place:
        place.run("ledger", "init", "--ledger", place.ledger, "--dataset", "clinic", "--cap",
                  room)

        def publish(number):
            arguments = task.arguments(place)
            arguments[arguments.index("--out") + 1] = place.work / f"release{number}"
            return place.run(*arguments)

        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            runs = list(pool.map(publish, range(count)))
        codes = [run.code for run in runs]
        require(codes.count(0) == room, f"{codes.count(0)} succeeded")
        require(codes.count(5) == count - room, f"exit codes {sorted(set(codes))}")
        require(place.debits(place.ledger) == room, "the ledger says otherwise")
        names = [f"release{n}" for n, code in enumerate(codes) if code == 0]
        for name in names:
            require(place.run("verify", place.work / name).code == 0, f"{name} is not whole")
        strangers = place.strangers([*names, "ledger.db"])
        require(not strangers, f"left behind: {strangers}")
        place.require_no_marker(*runs)


def for_one_release(privpfc, count):
    """Of many that want to write the same release, one does; what the others spent is on record."""
    task = Publish()
    with Place(privpfc) as place:
        task.prepare(place)
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            runs = list(pool.map(lambda _: place.run(*task.arguments(place)), range(count)))
        codes = [run.code for run in runs]
        require(codes.count(0) == 1 and codes.count(6) == count - 1, f"exit codes {codes}")
        require(task.is_whole(place), "not whole")
        debits = place.debits(place.ledger)
        require(1 <= debits <= count, f"{debits} on record")
        strangers = place.strangers(["release", "ledger.db"])
        require(not strangers, f"left behind: {strangers}")
        place.require_no_marker(*runs)


def stopped_at_random(task, privpfc, which, seed):
    """A signal from outside after a random while."""
    with Place(privpfc) as place:
        task.prepare(place)
        started = time.monotonic()
        require(place.run(*task.arguments(place)).code == 0, "fails without a signal")
        usual = time.monotonic() - started
        debits = place.debits(task.ledger(place))
        task.discard(place)
        delay = random.Random(seed).random() * usual * 1.1
        run = place.run(*task.arguments(place), before=[
            "timeout", "--verbose", "--preserve-status", "-s", which, f"{delay:.4f}"])
        run.err, was_sent = re.subn(r"timeout: sending signal .*\n", "", run.err)
        # Before it has begun to listen, a signal ends it as it ends any program.
        if run.code in (-signal.SIGINT, -signal.SIGTERM, 128 + signal.SIGINT, 128 + signal.SIGTERM):
            run.code, run.err = INTERRUPTED, run.err or "stopped before it began"
        debits = task.check(place, run, debits)
        task.check_rerun(place, debits)
        if not was_sent:
            raise NotReached


def all_of(privpfc):
    """(group, description, what to do)"""
    if for_everybody(privpfc) is None:
        print("faults: no place where an ordinary user may run privpfc: nothing is forbidden to one",
              file=sys.stderr)
    for task in TASKS:
        if can_mount():
            for free in range(0, 64, 4):  # by pages, to what is enough
                yield ("a full disk", f"{task.name}: {free} KiB left on the disk",
                       lambda task=task, free=free: on_small_disk(task, privpfc, free))
        for size in [0, 100, 1000, 4096, 5000, 8192, 12288, 16000, 20000, 33000, 50000, 65536]:
            yield ("a limit on files", f"{task.name}: files of at most {size} bytes",
                   lambda task=task, size=size: suffer(
                       task, privpfc, spoil=limited(resource.RLIMIT_FSIZE, size)))
        for files in range(3, 16):
            if starts_with(privpfc, resource.RLIMIT_NOFILE, files):
                yield ("a limit on files", f"{task.name}: at most {files} files open",
                       lambda task=task, files=files: suffer(
                           task, privpfc, spoil=limited(resource.RLIMIT_NOFILE, files)))
        for mebi in tight_memory(privpfc):
            yield ("a limit on memory", f"{task.name}: {mebi} MiB of address space",
                   lambda task=task, mebi=mebi: suffer(
                       task, privpfc, spoil=limited(resource.RLIMIT_AS, mebi << 20),
                       may_abort=True))
        for what in ["ledger", "folder", "input"] if for_everybody(privpfc) else []:
            if not task.needs(what):
                continue
            yield ("a place that may not be written", f"{task.name}: forbidden {what}",
                   lambda task=task, what=what: in_forbidden_place(
                       task, for_everybody(privpfc), what))
        for which in ["INT", "TERM", "KILL"]:
            for seed in range(40):
                yield ("a signal at a random moment", f"{task.name}: SIG{which}, seed {seed}",
                       lambda task=task, which=which, seed=seed: stopped_at_random(
                           task, privpfc, which, seed))
    yield ("many at once", "64 publishers, room for 10", lambda: publishers_at_once(privpfc, 64, 10))
    yield ("many at once", "16 publishers, room for 3", lambda: publishers_at_once(privpfc, 16, 3))
    yield ("many at once", "8 publishers of one release", lambda: for_one_release(privpfc, 8))
