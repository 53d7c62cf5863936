"""Commands that have done their work and wait for somebody to read what they say."""

import os
import signal
import subprocess
import time

PATIENCE_SECONDS = 60


def interrupt_when_done(command, is_done):
    """Sends SIGTERM once `is_done`, while nobody reads; gives the exit code and standard error."""
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
            while not is_done() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=10)
        finally:
            process.kill()
            os.close(reader)
            os.close(writer)
    return process.returncode, said
