"""What a guard ends, and when."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid

import psutil
import pytest

from pyprof.guard import Guard

# Starts one child in its own group, one in a session of its own, and one there whose parent is gone; says who they are.
FAMILY = """
sleep 600 & echo $!
setsid sleep 600 & echo $!
(setsid sh -c 'echo $$; exec sleep 600' &)
wait
"""


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until_gone(*pids: int) -> bool:
    deadline = time.monotonic() + 10
    while not all(map(gone, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return all(map(gone, pids))


@pytest.fixture
def mark() -> str:
    return f"PYPROF_TEST_MARK={uuid.uuid4().hex}"


def start(mark: str) -> tuple[subprocess.Popen[str], list[int]]:
    name, _, value = mark.partition("=")
    leader = subprocess.Popen(
        ["sh", "-c", FAMILY], env={**os.environ, name: value}, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert leader.stdout is not None
    return leader, [leader.pid, *(int(leader.stdout.readline()) for _ in range(3))]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the environment of processes")
def test_it_ends_the_group_and_all_that_inherited_the_mark(mark: str) -> None:
    leader, family = start(mark)
    with leader:
        bystander, others = start(f"{mark}-other")
        with bystander:
            Guard(leader.pid, mark).close()
            assert wait_until_gone(*family)
            assert not any(map(gone, others))
            Guard(bystander.pid, f"{mark}-other").close()
            assert wait_until_gone(*others)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the environment of processes")
def test_it_ends_them_when_its_own_process_is_killed(mark: str) -> None:
    leader, family = start(mark)
    with leader:
        code = "import sys, time; from pyprof.guard import Guard; g = Guard(int(sys.argv[1]), sys.argv[2])\n"
        code += "print('guarding', flush=True); time.sleep(600)"
        with subprocess.Popen([sys.executable, "-c", code, str(leader.pid), mark], stdout=subprocess.PIPE) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"guarding\n"
            assert not any(map(gone, family))
            holder.send_signal(signal.SIGKILL)
        assert wait_until_gone(*family)


def test_without_a_mark_it_ends_the_group_alone(mark: str) -> None:
    leader, family = start(mark)
    with leader:
        Guard(leader.pid).close()
        assert wait_until_gone(*family[:2])
        for pid in family[2:]:
            if sys.platform == "linux":
                assert not gone(pid)
            os.kill(pid, signal.SIGKILL)
        assert wait_until_gone(*family)
