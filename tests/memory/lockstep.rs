//! The memory controller and the block dispatcher against their exported Verilog in Verilator, and their lint.

use crate::matrix::options;
use warpmesh::{
    chip::dispatcher::*,
    core::BlockDistribution,
    hdl::Module,
    memory::{packets::MemoryPackets, *},
    netlist::elaborate,
    verilog::{
        lint,
        lockstep::{Rng, RunLength, Stimulus, Values, lockstep},
    },
};

fn params(controllers: usize, timing: DramTiming) -> PartitionParams {
    let nodes: Vec<_> = (0..controllers).map(|c| c * 2 + 1).collect();
    let map = AddressMap::new(&nodes, 16, 8, 2048).expect("legal");
    PartitionParams {
        map,
        timing,
        tag_bits: 4,
        queue_entries: 32,
        reply_entries: 8,
        tx_queue_packets: 2,
        service: ServiceParams::default(),
        l2: None,
        atomics: 0,
        crosses_clocks: false,
        write_reply: WriteReply::default(),
        partial_write: PartialWrite::default(),
        flit_bits: 128,
    }
}

/// Requests and reply credits within the credit protocol, in phases of different density; random data from the DRAM
/// pins.
fn traffic(p: &PartitionParams, seed: u64) -> impl Stimulus + use<> {
    let mut random = Rng::new(seed);
    let (mut places, mut owed) = (p.queue_entries, 0u64);
    move |cycle: u64, seen: &Values, inputs: &mut Values| {
        places += seen.get("rx_credit") as usize;
        owed += seen.get("tx_valid");
        let density = [0.02, 0.2, 1.0][(cycle / 500 % 3) as usize];
        let send = cycle > 3 && places > 0 && random.chance(density);
        places -= usize::from(send);
        inputs.set("rx_valid", send.into());
        for port in ["rx_sideband", "rx_src"] {
            inputs.set(port, random.next_u64());
        }
        // A few rows of a few banks, and now and then anywhere.
        let near = random.below(64) * 64 + random.below(16) * 0x2000 + random.below(3) * 0x80_0000;
        let address = if random.chance(0.9) { near } else { random.next_u64() & 0xffff_ffc0 };
        let header = address >> 6 | random.below(1 << 20) << 26;
        inputs.set_bits("rx_payload", &MemoryPackets::request_payload(header, &random.bits(512)));
        inputs.set_bits("dram_read_data", &random.bits(512));
        let credit = owed > 0 && random.chance(if (cycle / 2000).is_multiple_of(2) { 0.9 } else { 0.05 });
        owed -= u64::from(credit);
        inputs.set("tx_credit", credit.into());
    }
}

#[test]
fn the_controller_agrees_with_its_verilog() {
    for (controllers, timing) in
        [(4, DramTiming::default()), (3, DramTiming { t_cl: 2, burst: 1, ..DramTiming::default() })]
    {
        let p = params(controllers, timing);
        let agreement =
            lockstep(&partition(&p), &mut traffic(&p, 7), &RunLength { sim: options(), ..RunLength::cycles(12_000) });
        let agreement = agreement.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(agreement.still, [""; 0], "every output moved");
    }
}

/// Turn-arounds of the bus, too.
fn scheduled(scheduler: DramScheduler) -> PartitionParams {
    let timing = DramTiming { t_ccd: 2, t_wl: 4, t_wtr: 5, t_rtw: 9, ..DramTiming::default() };
    let service = ServiceParams { scheduler, row_streak_max: 3, min_latency: 5 };
    let p = params(3, timing);
    PartitionParams { service, map: p.map.clone().with_kind(AddressMapKind::Page2k), queue_entries: 12, ..p }
}

#[test]
fn every_scheduler_agrees_with_its_verilog() {
    for scheduler in DramScheduler::ALL {
        let p = scheduled(scheduler);
        let agreement =
            lockstep(&partition(&p), &mut traffic(&p, 9), &RunLength { sim: options(), ..RunLength::cycles(8_000) });
        let agreement = agreement.unwrap_or_else(|error| panic!("{scheduler:?}: {error}"));
        assert_eq!(agreement.still, [""; 0], "every output moved, {scheduler:?}");
    }
}

#[test]
fn the_dispatcher_agrees_with_its_verilog() {
    BlockDistribution::ALL.into_iter().for_each(dispatcher_agrees);
}

fn dispatcher_agrees(distribution: BlockDistribution) {
    let p = DispatcherParams { cores: 5, warps: 8, blocks: 3, flushed: 2, later: 0, program_line: None, distribution };
    let mut random = Rng::new(3);
    let mut busy = [0u64; 5];
    let mut script: Vec<(u64, u64)> = vec![];
    let mut wait = 0;
    let mut stimulus = move |cycle: u64, seen: &Values, inputs: &mut Values| {
        inputs.set("host_start", 0);
        inputs.set("host_write", 0);
        // One of the caches is flushed at once, the other one when it likes.
        inputs.set("flushed0", seen.get("flush"));
        inputs.set("flushed1", seen.get("flush") & random.next_u64());
        let mut given = [0; 5];
        for (core, given) in given.iter_mut().enumerate() {
            *given = seen.get(&format!("block_valid{core}")) << seen.get("block_slot");
        }
        for (core, busy) in busy.iter_mut().enumerate() {
            let done = *busy & random.next_u64() & random.next_u64() & random.next_u64();
            inputs.set(&format!("block_done{core}"), done);
            *busy = *busy & !done | given[core];
        }
        wait += 1;
        let idle = cycle < 5 || seen.get("host_done") == 1 && wait > 5;
        if cycle > 3 && idle && script.is_empty() {
            script = (0..4).map(|word| (host_address(region::PROGRAM + word % 2, word), random.next_u64())).collect();
            for (axis, most) in [(register::GRID_DIM_X, 20), (register::GRID_DIM_Y, 3), (register::GRID_DIM_Z, 3)] {
                script.push((host_address(region::LAUNCH, axis), random.below(most)));
            }
            script.push((host_address(region::LAUNCH, register::SLOTS), 1 + random.below(3)));
            // Written first, as the script is taken from its end: the fields above win.
            let fields = register::BLOCK_DIM_X..=register::SHARED_STRIDE;
            script.extend(fields.map(|field| (host_address(region::LAUNCH, field), random.next_u64())));
        } else if let Some((address, data)) = script.pop() {
            inputs.set("host_write", 1);
            inputs.set("host_address", address);
            inputs.set("host_data", data);
            if script.is_empty() {
                wait = 0;
            }
        } else if wait == 2 {
            inputs.set("host_start", 1);
        }
    };
    let agreement =
        lockstep(&dispatcher(&p), &mut stimulus, &RunLength { sim: options(), ..RunLength::cycles(10_000) });
    let agreement = agreement.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(agreement.still, Vec::<String>::new());
}

#[test]
fn their_verilog_is_clean() {
    let clean = |module: &Module| {
        let design = elaborate(module).unwrap_or_else(|error| panic!("{error}"));
        let diagnostics = lint(&design).expect("the tools run");
        assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    };
    clean(&partition(&params(4, DramTiming::default())));
    clean(&partition(&params(3, DramTiming { burst: 1, ..DramTiming::default() })));
    DramScheduler::ALL.into_iter().for_each(|scheduler| clean(&partition(&scheduled(scheduler))));
    let wide = scheduled(DramScheduler::FrFcfs);
    clean(&partition(&PartitionParams { queue_entries: 1, ..wide }));
    clean(&dispatcher(&DispatcherParams {
        cores: 12,
        warps: 8,
        blocks: 8,
        flushed: 0,
        later: 0,
        program_line: Some(64),
        distribution: BlockDistribution::default(),
    }));
}
