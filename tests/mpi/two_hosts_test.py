#!/usr/bin/env python3
"""A study on two hosts, one of which is cut off in the middle. ASPERITY names the binary.

The hosts are two network namespaces with an address and a host name each, joined by a cable (veth); mpirun is in the first and reaches the
second through a script where it would use ssh. Needs root, ip, unshare and mpirun; where they are missing the tests are skipped.
"""

import json
import os
import shutil
import subprocess
import time
import unittest

from campaign_mpi_test import DONE, MPIRUN, SCATTER, Job, journal_runs, kill

NETWORK = "10.231.77"
HOSTS = {"first": f"{NETWORK}.1", "second": f"{NETWORK}.2"}

# What mpirun calls in place of ssh: agent HOST COMMAND...
AGENT = """\
#!/bin/sh
shift
exec ip netns exec {space} unshare --uts sh -c 'hostname second; exec sh -c "$1"' sh "$*"
"""

# mpirun finds out by itself that a host does not answer, 9 to 14 s after it was cut off: later than asperity with --lost-after 5 does.
KEEPALIVE = ["--mca", "oob_tcp_keepalive_time", "5", "--mca", "oob_tcp_keepalive_intvl", "3", "--mca", "oob_tcp_keepalive_probes", "3"]


def why_not():
    if os.geteuid() != 0:
        return "only root can make network namespaces"
    for tool in ["mpirun", "ip", "unshare"]:
        if not shutil.which(tool):
            return f"there is no {tool} here"
    name = f"asperity-try-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode != 0:
        return f"network namespaces are not allowed here: {made.stderr.strip()}"
    subprocess.run(["ip", "netns", "delete", name], check=True)
    return None


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


@unittest.skipIf(why_not(), why_not() or "")
class TwoHosts(Job):
    def setUp(self):
        super().setUp()
        self.spaces = {host: f"asperity-{host}-{os.getpid()}" for host in HOSTS}
        for host, space in self.spaces.items():
            ip("netns", "add", space)
            self.addCleanup(ip, "netns", "delete", space)
            ip("-n", space, "link", "set", "lo", "up")
        ip("link", "add", "cable", "netns", self.spaces["first"], "type", "veth", "peer", "name", "cable", "netns", self.spaces["second"])
        for host, space in self.spaces.items():
            ip("-n", space, "address", "add", f"{HOSTS[host]}/24", "dev", "cable")
            ip("-n", space, "link", "set", "cable", "up")
        agent = self.write("agent", AGENT.format(space=self.spaces["second"]))
        agent.chmod(0o755)

    def command(self, ranks, *arguments):
        if not ranks:
            return super().command(ranks, *arguments)
        each = ranks // 2
        where = ",".join(f"{address}:{each}" for address in HOSTS.values())
        network = []
        for name in ["btl_tcp_if_include", "oob_tcp_if_include"]:
            network += ["--mca", name, f"{NETWORK}.0/24"]
        job = [*MPIRUN, "-n", str(ranks), "--host", where, "--mca", "plm_rsh_agent", str(self.folder / "agent"), "--mca", "btl", "tcp,self",
               *network, *KEEPALIVE, os.environ["ASPERITY"], "campaign", *map(str, arguments)]
        return ["ip", "netns", "exec", self.spaces["first"], "unshare", "--uts", "sh", "-c", 'hostname first; exec "$@"', "sh", *job]

    def go_on(self, arguments, runs):
        """What was broken off ends as a study of so many runs that nothing broke."""
        self.run_job(2, *arguments, "--runs", runs, "--resume")
        self.run_job(0, self.endless, "--runs", runs, "--quiet", "--out", "whole")
        self.assert_same("o", self.results("whole"), runs)

    def everybody(self):
        """Processes of both hosts."""
        pids = []
        for space in self.spaces.values():
            got = subprocess.run(["ip", "netns", "pids", space], capture_output=True, text=True, check=True)
            pids += got.stdout.split()
        return pids

    def test_same_table(self):
        self.run_job(0, SCATTER, "--runs", 60, "--quiet", "--out", "whole")
        reference = self.results("whole")
        for ranks in [2, 4]:
            out = f"ranks-{ranks}"
            self.run_job(ranks, SCATTER, "--runs", 60, "--quiet", "--threads", 1, "--out", out)
            self.assert_same(out, reference, 60)
            status = json.loads((self.folder / out / "status.json").read_text())
            self.assertEqual(status["host"], "first")  # of the process that writes it
            self.assertEqual([rank["host"] for rank in status["ranks"]], ["first"] * (ranks // 2) + ["second"] * (ranks // 2))

    def test_a_host_is_cut_off(self):
        arguments = [self.endless, "--quiet", "--threads", 1, "--out", "o", "--lost-after", 5]
        job = subprocess.Popen(self.command(2, *arguments), cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(job.kill)
        journal = self.folder / "o" / "journal"
        while not journal.exists() or len(journal_runs(journal)) < 20:
            self.assertIsNone(job.poll())
            time.sleep(0.02)
        ip("-n", self.spaces["first"], "link", "set", "cable", "down")
        cut = time.monotonic()
        text = job.communicate(timeout=60)[0]
        ended = time.monotonic() - cut
        while self.everybody() and time.monotonic() - cut < 40:
            time.sleep(0.2)
        gone = time.monotonic() - cut
        self.assertEqual(self.everybody(), [], "somebody is left")
        self.assertNotEqual(job.returncode, DONE)
        self.assertIn("error: rank 1 on second has not been heard of for 5 s: its host or the network is gone; finished runs are kept", text)
        done = len(journal_runs(journal))
        print(f"cut off: mpirun ended with {job.returncode} after {ended:.1f} s, the last process after {gone:.1f} s, {done} runs are safe\n{text}")
        ip("-n", self.spaces["first"], "link", "set", "cable", "up")
        self.go_on(arguments, max(journal_runs(journal)) + 20)

    def test_the_host_of_the_second_rank_ends(self):
        """All processes of a host are killed, as when it loses power but the network says so."""
        arguments = [self.endless, "--quiet", "--threads", 1, "--out", "o"]
        job = subprocess.Popen(self.command(2, *arguments), cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(job.kill)
        journal = self.folder / "o" / "journal"
        while not journal.exists() or len(journal_runs(journal)) < 20:
            self.assertIsNone(job.poll())
            time.sleep(0.02)
        got = subprocess.run(["ip", "netns", "pids", self.spaces["second"]], capture_output=True, text=True, check=True)
        for pid in got.stdout.split():
            kill(int(pid))
        text = job.communicate(timeout=60)[0]
        self.assertNotEqual(job.returncode, DONE, text)
        self.go_on(arguments, max(journal_runs(journal)) + 20)


if __name__ == "__main__":
    unittest.main()
