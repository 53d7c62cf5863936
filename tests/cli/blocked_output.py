"""Commands that have done their work and wait for somebody to read what they say."""

import os
import signal
import subprocess
import time

PATIENCE_SECONDS = 60


def is_debited(ledger, purpose, settle=0.5):
    """Whether a line with this purpose is in the ledger for good, since `settle` seconds, so that the command knows it
    too. Looked up in the file: asking takes longer than a command may need to end."""
    if purpose.encode() not in ledger.read_bytes() or ledger.with_name(ledger.name + "-journal").exists():
        return False
    time.sleep(settle)
    return True


def interrupt_when_done(command, is_done, which=signal.SIGTERM):
    """Sends a signal once `is_done`, while nobody reads; gives the exit code and standard error."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writer, True)
    with subprocess.Popen([*map(str, command)], stdin=subprocess.DEVNULL, stdout=writer,
                          stderr=subprocess.PIPE, text=True) as process:
        try:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while not is_done() and process.poll() is None:
                if time.monotonic() > deadline:
                    raise AssertionError(f"after {PATIENCE_SECONDS} s it has not come so far: {command}")
                time.sleep(0.01)
            process.send_signal(which)
            _, said = process.communicate(timeout=10)
        finally:
            process.kill()
            os.close(reader)
            os.close(writer)
    return process.returncode, said
