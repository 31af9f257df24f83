"""The installed package: `scripts/test-python`. The program that it is compared with is `WARPMESH_TEST_PROGRAM`."""

import doctest
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

import warpmesh

FOLDER = Path(__file__).parent.parent
TIMING = ("seconds", "cycles_per_second", "behavioural_share", "peak_memory_bytes", "code_from_cache", "engines", "thread")


def command_line(*arguments):
    """What the program prints, and what it says on standard error."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    program = os.environ["WARPMESH_TEST_PROGRAM"]
    return subprocess.run([program, *arguments], capture_output=True, text=True, env=environment)


def without_timing(report):
    """The report without what differs between two processes that measure the same: times, and the command."""
    same = {name: value for name, value in report.items() if not any(word in name for word in TIMING)}
    same["origin"] = {name: value for name, value in same["origin"].items() if name not in ("command", "date")}
    return same


class Runs(unittest.TestCase):
    def test_equals_the_command_line(self):
        result = warpmesh.run("small", kernel="reduction", size=256, seed=3, stats="dispatcher", overrides={"network.vcs": 4})
        words = "run small -P network.vcs=4 --kernel reduction --size 256 --seed 3 --stats dispatcher".split()
        printed = json.loads(command_line(*words, "--json").stdout)
        self.assertEqual(without_timing(result.json), without_timing(printed))
        self.assertEqual(result.core_cycles, printed["core_cycles"])
        self.assertEqual(result.ipc, printed["ipc"])
        self.assertIs(result.verified, True)
        self.assertEqual(result.statistics, {row["name"]: row["value"] for row in printed["statistics"]})
        self.assertTrue(result.statistics)
        text = command_line(*words).stdout
        self.assertEqual(result.text.split("Simulation")[0], text.split("Simulation")[0])

    def test_overrides_and_tables_change_the_chip(self):
        few = warpmesh.run("small", kernel="gather", size=256, overrides={"network.channel_bytes": 4})
        many = warpmesh.run({"base": "small", "network": {"channel_bytes": 32}}, kernel="gather", size=256)
        self.assertGreater(few.core_cycles, many.core_cycles)
        self.assertLess(few.cost["network_mm2"], many.cost["network_mm2"])
        both = warpmesh.run({"base": "small", "network": {"channel_bytes": 32}}, kernel="gather", size=256, overrides={"network.channel_bytes": 4})
        self.assertEqual(both.core_cycles, few.core_cycles)

    def test_errors_say_what_the_command_line_says(self):
        wrong = [
            (lambda: warpmesh.run("small", overrides={"network.vc": 4}), ["run", "small", "-P", "network.vc=4"]),
            (lambda: warpmesh.run("small", overrides={"network.vcs": 400}), ["run", "small", "-P", "network.vcs=400"]),
            (lambda: warpmesh.run("smal"), ["run", "smal"]),
            (lambda: warpmesh.run("small", kernel="gathr"), ["run", "small", "--kernel", "gathr"]),
            (lambda: warpmesh.run("small", engine="quantum"), ["run", "small", "--engine=quantum"]),
            (lambda: warpmesh.noc("small", rate="0.1..0.3"), ["noc", "small", "--rate=0.1..0.3"]),
            (lambda: warpmesh.area("default", technology=66), ["area", "default", "--technology=66"]),
            (lambda: warpmesh.study("nowhere.toml"), ["study", "nowhere.toml"]),
            (lambda: warpmesh.sweep("small", vary={"network.vc": [2, 4]}), ["sweep", "small", "--vary=network.vc=2,4"]),
        ]
        for function, words in wrong:
            with self.subTest(words), self.assertRaises(warpmesh.InputError) as raised:
                function()
            said = command_line(*words)
            self.assertEqual(str(raised.exception), said.stderr.rstrip())
            self.assertEqual(raised.exception.code, said.returncode)
        with self.assertRaises(TypeError):
            warpmesh.run("small", kernell="gather")

    def test_a_run_that_does_not_end_is_an_error_with_its_report(self):
        with self.assertRaises(warpmesh.NotEndedError) as raised:
            warpmesh.run("small", kernel="gather", max_cycles=200)
        self.assertEqual(raised.exception.result.verdict, "cycle_limit")
        self.assertIn("cycle limit", str(raised.exception).lower())

    def test_the_emulator_has_no_cycles(self):
        result = warpmesh.run("small", kernel="gather", size=256, functional=True)
        self.assertIs(result.verified, True)
        with self.assertRaisesRegex(AttributeError, "no `core_cycles`"):
            result.core_cycles

    def test_several_at_a_time(self):
        seen, results = {}, {}

        def work(seed):
            def told(line, done):
                seen.setdefault(seed, []).append(time.monotonic())

            results[seed] = warpmesh.run("small", kernel="matmul", size=48, seed=seed, threads=1, progress=told)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2)]
        for thread in threads:
            thread.start()
        turns = 0
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.001)
            turns += 1
        self.assertGreater(turns, 20, "Python goes on meanwhile")
        self.assertLess(max(times[0] for times in seen.values()), min(times[-1] for times in seen.values()))
        for seed, result in results.items():
            self.assertIs(result.verified, True)
            self.assertEqual(result.json["seed"], seed)

    def test_control_c_ends_a_run(self):
        begun = []

        def told(line, done):
            if "a second" in line and not begun:
                begun.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            warpmesh.run("default", kernel="matmul", size=512, progress=told)
        self.assertTrue(begun)
        self.assertLess(time.monotonic() - begun[0], 5)
        self.assertIs(warpmesh.run("small", kernel="reduction", size=64).verified, True, "the next one is not interrupted")

    def test_an_error_in_progress_ends_a_run(self):
        def told(line, done):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            warpmesh.run("small", kernel="matmul", size=256, no_cache=True, progress=told)


class Others(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_networks(self):
        few = dict(rate=[0.05, 0.1], warmup=100, measure=500, drain=2000)
        result = warpmesh.noc("small", **few)
        words = "noc small --rate 0.05,0.1 --warmup 100 --measure 500 --drain 2000 --json".split()
        printed = json.loads(command_line(*words).stdout)
        self.assertEqual(without_timing(result.json), without_timing(printed))
        self.assertEqual(list(result.frame["offered"]), [0.05, 0.1])
        self.assertEqual(result.frame["packet_latency.mean"][1], result.points[1]["packet_latency"]["mean"])
        both = warpmesh.noc(["small", {"base": "small", "network": {"pipeline": 1}}], **few, record=self.folder / "loads")
        self.assertEqual(both[0].points[0]["accepted"], result.points[0]["accepted"])
        self.assertLess(both[1].zero_load_latency, both[0].zero_load_latency)
        record = warpmesh.record(self.folder / "loads")
        self.assertEqual(len(record.loads), 4)
        self.assertGreater(len(record.links), len(record.loads))

    def test_areas(self):
        result = warpmesh.area("default", by_block=True)
        printed = json.loads(command_line("area", "default", "--by-block", "--json").stdout)
        self.assertEqual(result.json, printed)
        self.assertEqual(result.text, command_line("area", "default", "--by-block").stdout.rstrip())
        self.assertGreater(warpmesh.area(overrides={"network.vcs": 8}).network_mm2, result.network_mm2)

    def test_sweeps_and_studies(self):
        out = self.folder / "out"
        result = warpmesh.sweep("small", vary={"network.vcs": [2, 4]}, kernel="gather", size=128, out=out, record=self.folder / "sweep")
        frame = result.frame
        self.assertEqual(list(frame["network.vcs"]), [2, 4])
        run = warpmesh.run("small", kernel="gather", size=128, overrides={"network.vcs": 4})
        self.assertEqual(frame["core_cycles"][1], run.core_cycles)
        record = warpmesh.record(self.folder / "sweep")
        self.assertEqual((record.missing, record.result.json), (0, result.json))
        self.assertEqual(record.result.text, result.text)
        text = """
            title = "virtual channels"
            config = "small"
            [[axis]]
            key = "network.vcs"
            values = [2, 4]
            [[kernel]]
            name = "gather"
            size = 128
        """
        before = set((out / "runs").iterdir())
        study = warpmesh.study(text, out=out)
        self.assertEqual(list(study.frame["core_cycles"]), list(frame["core_cycles"]))
        self.assertEqual(set((out / "runs").iterdir()), before, "its runs are those of the sweep")
        self.assertTrue((out / "study.json").exists())

    def test_records(self):
        import pandas

        folder = self.folder / "record"
        result = warpmesh.run("small", kernel="reduction", size=256, record=folder, interval=100)
        record = warpmesh.record(folder)
        self.assertEqual(record.verdict, "completed")
        self.assertEqual(record.report, result.json)
        self.assertEqual(record.manifest["kernel"], "reduction")
        parquet = pandas.read_parquet(folder / "samples.parquet")
        self.assertEqual(list(parquet.columns), list(record.samples.columns))
        self.assertTrue((parquet.astype("uint64") == record.samples).all().all())
        self.assertGreater(len(parquet), 3)
        totals = record.statistics["value"]
        sums = record.samples[totals.index].sum()
        self.assertTrue((sums == totals).all())
        with self.assertRaisesRegex(warpmesh.InputError, "there is no such folder"):
            warpmesh.record(self.folder / "nowhere")
        (folder / "samples.parquet").write_bytes(b"nothing")
        with self.assertRaisesRegex(warpmesh.InputError, "samples.parquet"):
            warpmesh.record(folder)

    def test_warnings(self):
        with self.assertWarns(warpmesh.ConfigWarning):
            warpmesh.run(self.idle(), kernel="reduction", size=64)

    def idle(self):
        """A configuration whose base sets a key without effect."""
        base = self.folder / "base.toml"
        base.write_text('base = "small"\n[core]\nthrottle = { warps = 3 }\n')
        own = self.folder / "own.toml"
        own.write_text('base = "base.toml"\n')
        return own

    def test_the_command_line_is_there(self):
        import sys

        printed = subprocess.run([sys.executable, "-m", "warpmesh", "list", "configs"], capture_output=True, text=True)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertEqual(printed.stdout, command_line("list", "configs").stdout)


class Pages(unittest.TestCase):
    def test_the_readme_shows_what_is_printed(self):
        failed, tried = doctest.testfile(str(FOLDER / "README.md"), module_relative=False)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 4)

    def test_notebooks_run(self):
        import nbclient
        import nbformat

        notebooks = sorted((FOLDER / "notebooks").glob("*.ipynb"))
        self.assertEqual(len(notebooks), 2)
        for path in notebooks:
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                notebook = nbformat.read(path, as_version=4)
                resources = {"metadata": {"path": folder}}
                nbclient.NotebookClient(notebook, timeout=100, kernel_name="python3", resources=resources).execute()
                outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
                self.assertTrue(any("image/png" in output.get("data", {}) for output in outputs), "a chart")


if __name__ == "__main__":
    unittest.main()
