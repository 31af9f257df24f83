//! DRAM schedulers: commands against models in plain Rust, timing against the device, and what each is good for.

use crate::dram;
use crate::dram::{Outcome, Sent, params, presets};
use crate::matrix::options;
use warpmesh::{hdl::random::Rng, memory::*};

fn by(scheduler: DramScheduler) -> ServiceParams {
    ServiceParams { scheduler, ..ServiceParams::default() }
}

fn run(p: &ControllerParams, requests: &[Sent], pace: (f64, f64), seed: u64) -> Outcome {
    dram::run(p, p.timing, requests, pace, seed, &options()).unwrap_or_else(|error| panic!("{error}"))
}

/// Requests of which most are for one of a few rows.
fn random_requests(p: &ControllerParams, count: usize, seed: u64) -> Vec<Sent> {
    let mut random = Rng::new(seed);
    let rows = 1 + random.below(4);
    let writes = [0.0, 0.1, 0.5, 1.0][random.below(4) as usize];
    let request = |_| Sent {
        write: random.chance(writes),
        bank: random.below(p.map.banks() as u64) as u32,
        row: if random.chance(0.9) { random.below(rows) as u32 } else { random.below(300) as u32 },
        column: random.below(1 << p.map.column_bits()) as u32,
    };
    (0..count).map(request).collect()
}

/// As many rows as cores, each read from its begin to its end; a request of each core in turn.
fn streams(cores: u32, p: &ControllerParams, rows: u32) -> Vec<Sent> {
    let columns = 1 << p.map.column_bits();
    let of_row = |block: u32| {
        (0..columns).flat_map(move |column| {
            (0..cores).map(move |core| Sent { write: false, bank: core % 2, row: block * cores + core, column })
        })
    };
    (0..rows).flat_map(of_row).collect()
}

#[test]
fn commands_are_those_of_the_models() {
    let mut random = Rng::new(17);
    for scheduler in DramScheduler::ALL {
        for seed in 0..40 {
            let mut cycles = |most: u64| 1 + (random.below(most)) as u32;
            let timing = DramTiming {
                t_cl: cycles(20),
                t_rp: cycles(20),
                t_rc: cycles(50),
                t_ras: cycles(30),
                t_rcd: cycles(20),
                t_rrd: cycles(12),
                burst: cycles(9),
                t_ccd: cycles(6),
                t_wl: cycles(20) - 1,
                t_wtr: cycles(8) - 1,
                t_rtw: cycles(20) - 1,
            };
            let row_streak_max = [0, 0, 1, 2, 7][random.below(5) as usize];
            let min_latency = [0, 0, 1, 2, 40][random.below(5) as usize];
            let service = ServiceParams { scheduler, row_streak_max, min_latency };
            let mut p = params(2 << random.below(4), timing, service);
            p.queue_entries = [1, 2, 3, 8, 31, 32, 33, 128][random.below(8) as usize];
            p.reply_entries = [1, 2, 5, 16, 64][random.below(5) as usize];
            p.map = p.map.with_line_bytes([32, 64, 128][random.below(3) as usize]);
            let pace = [(1.0, 1.0), (0.3, 1.0), (1.0, 0.1), (0.05, 0.5)][random.below(4) as usize];
            run(&p, &random_requests(&p, 300, seed), pace, seed);
        }
    }
}

#[test]
fn no_preset_breaks_a_rule_with_any_scheduler() {
    for (name, banks, timing) in presets() {
        for scheduler in DramScheduler::ALL {
            let p = params(banks, timing, by(scheduler));
            for (seed, requests) in (1..).zip([3000, 3000]) {
                let mut outcome = run(&p, &random_requests(&p, requests, seed), (0.9, 0.9), seed);
                let [bursts, busy, pending] =
                    ["bursts", "bus_busy_cycles", "pending_cycles"].map(|statistic| outcome.count(statistic));
                assert_eq!(bursts, requests as u64, "{name}");
                assert_eq!(busy, bursts * u64::from(timing.burst), "{name}");
                assert!(busy <= pending && pending <= outcome.cycles, "{name}: {busy} of {pending}");
            }
        }
    }
}

#[test]
fn reordering_wins_on_interleaved_rows_and_nothing_on_one() {
    for (name, banks, timing) in presets() {
        let time = |scheduler, cores: u32, rows: u32| {
            let p = params(banks, timing, by(scheduler));
            run(&p, &streams(cores, &p, rows), (1.0, 1.0), 1).cycles
        };
        let cycles = DramScheduler::ALL.map(|scheduler| time(scheduler, 8, 4));
        let [fifo, fifo_banks, fr_fcfs, global] = cycles;
        assert!(fr_fcfs < fifo_banks && global < fifo_banks, "{name}: {cycles:?}");
        assert!(fifo_banks <= fifo, "{name}: {cycles:?}");
        // One stream: a slot costs a cycle of each row and nothing of the bus.
        let alone = DramScheduler::ALL.map(|scheduler| time(scheduler, 1, 2));
        let (least, most) = (alone.iter().min().expect("four"), alone.iter().max().expect("four"));
        assert!(most - least <= 4, "{name}: {alone:?}");
    }
}

#[test]
fn a_longer_queue_finds_more_requests_for_the_open_row() {
    let (_, banks, timing) = presets()[1];
    let hits = [2, 8, 32, 128].map(|queue_entries| {
        let p = ControllerParams { queue_entries, ..params(banks, timing, by(DramScheduler::FrFcfs)) };
        run(&p, &streams(16, &p, 4), (1.0, 1.0), 1).count("row_hits")
    });
    assert!(hits.is_sorted() && hits[0] < hits[3], "{hits:?}");
}

#[test]
fn a_limit_of_streaks_bounds_how_often_the_oldest_is_overtaken() {
    let (_, banks, timing) = presets()[0];
    // One request for another row, then more for the open one than the queue holds.
    let one = |row, column| Sent { write: false, bank: 0, row, column };
    let requests: Vec<_> = (0..200).map(|i| one(u32::from(i == 2), i % 32)).collect();
    for scheduler in [DramScheduler::FrFcfs, DramScheduler::FrFcfsGlobal] {
        let overtaken = |row_streak_max| {
            let p = params(banks, timing, ServiceParams { row_streak_max, ..by(scheduler) });
            let order = run(&p, &requests, (1.0, 1.0), 1).order;
            order.iter().take_while(|&&number| number != 2).filter(|&&number| number > 2).count()
        };
        assert!(overtaken(0) > 100, "{scheduler:?}: {} without a limit", overtaken(0));
        assert_eq!([1, 4, 9].map(overtaken), [1, 4, 9], "{scheduler:?}");
    }
}

#[test]
fn a_minimum_latency_delays_replies_and_takes_no_bandwidth() {
    let (_, banks, timing) = presets()[0];
    let outcome = |min_latency| {
        let service = ServiceParams { min_latency, ..by(DramScheduler::FrFcfs) };
        let p = ControllerParams { reply_entries: 64, ..params(banks, timing, service) };
        run(&p, &streams(1, &p, 4), (1.0, 1.0), 1)
    };
    let without = outcome(0);
    let latency = |outcome: &Outcome| outcome.times[0].0 - outcome.times[0].1;
    for cycles in [1, 2, 100, 200] {
        let with = outcome(cycles as u32);
        assert_eq!(latency(&with), latency(&without) + cycles, "{cycles}");
        assert_eq!(with.cycles, without.cycles + cycles, "{cycles}");
    }
}

#[test]
fn every_rule_of_the_bus_is_checked_by_the_device() {
    let (_, banks, right) = presets()[1];
    let tight = DramTiming { t_rtw: 0, t_wtr: 0, ..right };
    let cases = [
        ("tCCD", DramTiming { t_ccd: 5, ..tight }, DramTiming { t_ccd: 6, ..tight }),
        ("tRTW", DramTiming { t_rtw: 14, ..tight }, DramTiming { t_rtw: 15, ..tight }),
        ("tWTR", DramTiming { t_wtr: 4, ..tight }, DramTiming { t_wtr: 5, ..tight }),
        ("data bus", DramTiming { t_wl: 5, ..tight }, tight),
        // In order, no two rows are opened one right after the other.
        ("tRRD", DramTiming { t_rrd: 7, ..tight }, tight),
        ("tRCD", DramTiming { t_rcd: 11, ..tight }, tight),
    ];
    for (rule, built, device) in cases {
        let schedulers = &DramScheduler::ALL[usize::from(rule == "tRRD")..];
        for &scheduler in schedulers {
            let p = params(banks, built, by(scheduler));
            let requests = random_requests(&p, 1000, 3);
            let result = dram::run(&p, device, &requests, (1.0, 1.0), 3, &options());
            let error = result.err().unwrap_or_else(|| panic!("{rule} is not checked, {scheduler:?}"));
            assert!(error.contains(&format!(": {rule}: ")), "{rule}, {scheduler:?}: {error}");
        }
    }
}
