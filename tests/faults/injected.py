"""Faults at the system's calls: strace makes one fail, fall short, or be the last."""

import collections
import re
import shutil
import subprocess
import tempfile

from place import NotReached, Place, memory_place, require

# By call: how it may fail. Every one may also be the last (KILL).
WRITES = ["ENOSPC", "EIO", "EINTR", "short"]
NAMES = ["EIO", "ENOSPC", "EACCES"]
HOW = {
    "write": WRITES, "pwrite64": WRITES,
    "fsync": ["EIO", "ENOSPC", "EINTR"], "fdatasync": ["EIO", "ENOSPC", "EINTR"],
    "rename": NAMES, "renameat2": [*NAMES, "EINVAL", "ENOSYS"], "linkat": NAMES, "mkdir": NAMES,
    "unlink": ["EIO"], "unlinkat": ["EIO"], "rmdir": ["EIO"], "ftruncate": ["EIO", "ENOSPC"],
    "open": ["EIO", "EMFILE", "ENOSPC", "EINTR"], "openat": ["EIO", "EMFILE", "ENOSPC", "EINTR"],
    "read": ["EIO", "EINTR"], "pread64": ["EIO", "EINTR"], "close": ["EIO", "EINTR"],
    "fcntl": ["EIO", "ENOLCK"], "flock": ["EINTR", "ENOLCK", "EAGAIN"], "fstat": ["EIO"], "newfstatat": ["EIO"], "getdents64": ["EIO"],
    "mmap": ["ENOMEM"], "brk": ["ENOMEM"], "mprotect": ["ENOMEM"], "clone3": ["EAGAIN"],
    "getrandom": ["EINTR"],
}
# What is done again when it is interrupted, by us and by SQLite.
REPEATED = {"write", "pwrite64", "open", "openat", "read", "pread64", "getrandom"}
# What a file system says that does not know the call: the program must do without.
UNKNOWN = {("renameat2", "EINVAL"), ("renameat2", "ENOSYS")}
# Without these nothing can be removed: a directory is listed, emptied and then goes itself.
REMOVING = {"getdents64", "unlinkat", "rmdir"}
# As good as for ever: no run makes as many calls in a row.
MANY = 300

Fault = collections.namedtuple("Fault", "task call number how lasting")


def is_possible():
    if shutil.which("strace") is None:
        return False
    probe = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                            "inject=fsync:error=EIO:when=1", "true"], capture_output=True,
                           check=False)
    return probe.returncode == 0


def calls_of(task, privpfc):
    """By call: the numbers that it has after the program has begun (not while libraries load)."""
    with Place(privpfc) as place, tempfile.NamedTemporaryFile() as trace:
        task.prepare(place)
        run = place.run(*task.arguments(place), before=[
            "strace", "-f", "-qq", "-o", trace.name, "-e", "trace=umask," + ",".join(HOW)])
        if run.code != 0:
            raise SystemExit(f"faults: {task.name} fails without a fault: {run.err}")
        lines = [line.decode(errors="replace").split(maxsplit=1) for line in trace]
    main = lines[0][0]
    seen = collections.Counter()
    numbers = collections.defaultdict(list)
    begun = False
    for thread, what in lines:
        call = re.match(r"(\w+)\(", what)
        if thread != main or call is None:
            continue
        name = call.group(1)
        begun = begun or name == "umask"
        seen[name] += 1
        if begun and name in HOW:
            numbers[name].append(seen[name])
    return numbers


def last_of(call, number, how, lasting):
    """The number of the last call that fails; none if there is no end to it."""
    if not lasting:
        return number + 5 if how == "short" else number
    # No system interrupts for ever, and who asks again would never end.
    return number + MANY if how == "EINTR" and call in REPEATED else None


def can_last(call, how):
    # SQLite waits a minute for its locks, so one refusal of them is enough; and for a write that
    # writes nothing, again and again, nobody would end.
    return how != "short" and (call, how) != ("fcntl", "ENOLCK")


def faults_of(task, privpfc):
    for call, numbers in calls_of(task, privpfc).items():
        for number in numbers:
            yield Fault(task, call, number, "KILL", False)
            for how in HOW[call]:
                yield Fault(task, call, number, how, False)
                if can_last(call, how):
                    yield Fault(task, call, number, how, True)


def injection(fault):
    last = last_of(fault.call, fault.number, fault.how, fault.lasting)
    number = f"{fault.number}+" if last is None else f"{fault.number}..{last}"
    effect = {"KILL": "signal=KILL", "short": "retval=0"}.get(fault.how, f"error={fault.how}")
    if fault.call == "brk" and fault.how == "ENOMEM":
        effect = "retval=0"  # it fails by answering with a lower end than was asked for
    return f"inject={fault.call}:{effect}:when={number}"


def suffer(fault, privpfc):
    """Runs the task with the fault, and looks at what came of it."""
    task = fault.task
    with Place(privpfc) as place, tempfile.NamedTemporaryFile(dir=memory_place()) as trace:
        task.prepare(place)
        run = place.run(*task.arguments(place), before=[
            "strace", "-f", "-qq", "-s", "0", "-o", trace.name, "-e", f"trace={fault.call}", "-e",
            injection(fault)])
        # What cannot be removed stays until the next run, and what cannot be written is not said.
        debits = task.check(place, run, may_litter=fault.lasting and fault.call in REMOVING,
                            may_leave_journal=fault.lasting,
                            may_be_silent=fault.lasting and fault.call == "write",
                            may_abort=fault.how == "ENOMEM")  # as libraries do
        require((fault.call, fault.how) not in UNKNOWN or run.code == 0,
                f"does not do without: {run.err.strip()[:300]}")
        task.check_rerun(place, debits)
        if not has_happened(trace.read()):
            raise NotReached


def has_happened(trace):
    """Another run draws other noise, and may end before it makes the call so many times."""
    return b"(INJECTED)" in trace or b"+++ killed by SIGKILL +++" in trace


def describe(fault):
    return f"{fault.task.name}: {fault.call} {fault.number}{'+' if fault.lasting else ''} {fault.how}"
