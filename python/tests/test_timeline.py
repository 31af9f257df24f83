"""A timeline, read with Perfetto's own protocol buffers (`perfetto` of PyPI): no field is unknown, and latencies are the report's."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

# Nanoseconds of a file in a cycle of the cores.
CYCLE = 1000


def known(message):
    """All fields of a message, and of those in it, are Perfetto's."""
    nested = (value for field, value in message.ListFields() if field.message_type)
    lists = (value if hasattr(value, "__len__") else [value] for value in nested)
    return not len(UnknownFieldSet(message)) and all(known(inner) for values in lists for inner in values)


def slices(trace):
    """(track with those above it, name, annotations, cycles from its begin to its end, depth) of each slice, as it ends."""
    tracks, open_slices = {}, {}
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            above = tracks.get(packet.track_descriptor.parent_uuid, "")
            tracks[packet.track_descriptor.uuid] = f"{above}/{packet.track_descriptor.name}"
            continue
        event = packet.track_event
        stack = open_slices.setdefault(event.track_uuid, [])
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            about = {a.name: a.string_value if a.HasField("string_value") else a.uint_value for a in event.debug_annotations}
            stack.append((event.name, about, packet.timestamp))
        elif event.type == TrackEvent.TYPE_SLICE_END:
            name, about, begin = stack.pop()
            yield tracks[event.track_uuid], name, about, (packet.timestamp - begin) / CYCLE, len(stack)
    assert not any(open_slices.values()), "every slice ends"


class Timelines(unittest.TestCase):
    def test_perfetto_reads_the_latencies_of_the_report(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "x.pftrace"
            command = [os.environ["WARPMESH_TEST_PROGRAM"], "run", "default", "--kernel", "gather", "--size", "600"]
            output = subprocess.run([*command, "--json", "--trace", file], capture_output=True, text=True, check=True).stdout
            report, trace = json.loads(output), Trace.FromString(file.read_bytes())
        self.assertTrue(known(trace))
        found = list(slices(trace))
        for kind in ("request", "reply"):
            packets = [about["network_cycles"] for track, _, about, _, _ in found if "packets of" in track and about.get("class") == kind]
            self.assertEqual(len(packets), report["network"][f"{kind}_packets"])
            self.assertAlmostEqual(sum(packets) / len(packets), report["network"][f"{kind}_latency"], places=9)
        accesses = [slice for slice in found if "memory accesses" in slice[0]]
        reads = [about["core_cycles"] for _, name, about, _, depth in accesses if depth == 0 and about["kind"] == "read"]
        lasted = [cycles for _, name, about, cycles, depth in accesses if depth == 0 and about["kind"] == "read"]
        self.assertEqual(reads, lasted)
        bursts = [slice for slice in found if "data bus" in slice[0]]
        self.assertEqual(len(bursts), report["dram"]["requests"])


if __name__ == "__main__":
    unittest.main()
