// What the samples of a run say: sums of windows, and curves over time.
//
//   series -> prefix sums -> measures(from, to) -> curves (a point each), sums of a window

function measuring({ series, chip }) {
  const points = series.end.length;

  /** Sums of all points before each point, so that the sum of a window is one difference. */
  function sums(lists) {
    const sums = new Float64Array(points + 1);
    for (let at = 0; at < points; at++) {
      sums[at + 1] = lists.reduce((sum, list) => sum + list[at], sums[at]);
    }
    return (first, last) => sums[last] - sums[first];
  }

  /** Statistics with one of these names in one of these kinds of blocks. */
  function statistics(blocks, names) {
    const wanted = ({ name, block }) => blocks.includes(block) && names.includes(name.slice(name.lastIndexOf(".") + 1));
    return series.statistics.filter(wanted);
  }

  const values = (found) => sums(found.map((statistic) => statistic.values));
  const counts = (found) => sums(found.map((statistic) => statistic.counts ?? statistic.values));
  const places = (found) => found.reduce((sum, statistic) => sum + statistic.places, 0);
  const cycles = (first, last) => (last > first ? series.end[last - 1] - series.start[first] : 0);

  /** Curves: each measure is a number of a window, from one point to before another. */
  function curves() {
    const front = (...names) => statistics(["front_end"], names);
    const warps = front("active_warps");
    const [executed, issued, slots] = [values(front("thread_instructions")), values(front("instructions")), counts(warps)];
    const causes = ["data_hazards", "structural_hazards", "barriers", "throttle", "fetch"]
      .map((cause) => [cause.replace("_", " "), front("slots_lost_to_" + cause)])
      .filter(([, found]) => found.length > 0)
      .map(([name, found]) => [name, values(found)]);
    const share = (part, whole, of) => (whole > 0 ? (of * part) / whole : null);
    const percent = (part) => (first, last) => share(part(first, last), slots(first, last), 100);
    const none = (first, last) => {
      const used = causes.reduce((sum, [, lost]) => sum + lost(first, last), issued(first, last));
      return Math.max(0, slots(first, last) - used);
    };
    const active = values(warps);
    const controllers = statistics(["memory_controller"], ["bus_busy_cycles"]);
    const [busy, buses] = [values(controllers), places(controllers) * chip.dram_cycles];
    const requests = values(statistics(["memory_controller"], ["requests"]));
    const a_cycle = (sum) => (first, last) => ratio(sum(first, last), cycles(first, last));
    const by_place = (blocks, names) => statistics(blocks, names)
      .map((found) => ({ name: found.name.slice(0, found.name.lastIndexOf(".")), of: a_cycle(values([found])) }));
    const all = [
      {
        id: "ipc", title: "IPC", unit: "thread instructions a cycle", peak: chip.peak_ipc,
        measures: [{ name: "IPC", of: a_cycle(executed) }],
      },
      {
        id: "thread-instructions", title: "Thread instructions", unit: "in each point", of_point: "instructions",
        measures: [{ name: "thread instructions", of: executed }],
      },
      {
        id: "issue-slots", title: "Issue slots", unit: "% of all slots", stacked: true, most: 100,
        measures: [["issued", issued], ...causes, ["no warp", none]].map(([name, part]) => ({ name, of: percent(part) })),
      },
      {
        id: "active-warps", title: "Active warps", unit: "warps a core, mean",
        measures: [{ name: "active warps", of: (first, last) => share(active(first, last), slots(first, last), chip.issue_slots) }],
      },
      {
        id: "dram-bus", title: "DRAM data bus", unit: "% of cycles occupied", most: 100,
        measures: buses ? [{ name: "DRAM utilisation", of: (first, last) => share(busy(first, last), buses * cycles(first, last), 100) }] : [],
      },
      {
        id: "dram-requests", title: "DRAM requests", unit: "requests a cycle",
        measures: buses ? [{ name: "DRAM requests", of: a_cycle(requests) }] : [],
      },
      {
        id: "flits", title: "Flits sent", unit: "flits a cycle",
        measures: by_place(["injection_lane", "split_lane", "overlay_lane"], ["flits_sent"]),
      },
      {
        id: "misses", title: "Primary misses of caches", unit: "misses a cycle",
        measures: by_place(["cache"], ["primary_misses"]),
      },
    ];
    return all.filter((curve) => curve.measures.length > 0);
  }

  /** A step for each point, from its first cycle to its last one; of a stack, on those of the measures below. */
  function steps(measure, below = []) {
    const steps = series.start.map((start, at) => {
      const value = measure.of(at, at + 1);
      const drawn = value === null ? null : below.reduce((sum, other) => sum + other.of(at, at + 1), value);
      return [start, drawn, value];
    });
    const [, ...last] = steps[points - 1];
    return [...steps, [series.end[points - 1], ...last]];
  }

  return { points, values, counts, cycles, curves, steps };
}

/** Nothing of nothing is no number. */
const ratio = (part, whole) => (whole > 0 ? part / whole : null);
/** What a curve has of each point: where it is drawn and its value. */
const DIMENSIONS = ["cycle", "drawn", "value"];
