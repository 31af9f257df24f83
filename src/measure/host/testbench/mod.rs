//! *Behavioural*: a self-contained Verilog test bench that runs one kernel on an exported chip.
//!
//! ```text
//!  Launch --> native simulation, verified --> cycles, memory at the end = expected.hex
//!         '-> memory at the start = memory.hex; the host's writes = load.hex (the same list that the driver plays)
//!  Chip   --> parameters and pins of testbench.v, whose body is the template next to this file
//! ```
//!
//! The bench expects what the simulation has found, bit for bit and cycle for cycle, and the simulation must first have
//! passed the launch's own checks. So floats need no tolerance in Verilog, and every word of memory is compared, not
//! results alone.

use crate::{
    host::{
        Host, HostError, Limits, frequencies,
        loading::{idle_cycles, loading, memory_image},
    },
    report::Verdict,
};
use netlist::Design;
use program::{Launch, Mismatch};
use rtl::chip::Chip;
use sim::{Options, SimError};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("testbench.v");

/// Files of a test bench.
#[derive(Clone, Debug)]
pub struct TestBench {
    /// Name and text of each; the first is the bench, the others are what it reads.
    pub files: Vec<(String, String)>,
    /// Cycles that the kernel takes.
    pub cycles: u64,
}

/// Why there is no test bench.
#[derive(Debug, thiserror::Error)]
pub enum TestBenchError {
    /// The kernel does not fit the chip, or the simulation went wrong.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The kernel does not end, so nothing can be expected of it.
    #[error("kernel `{kernel}` does not end on this chip: {how} after {cycles} cycles")]
    Endless {
        /// Its name.
        kernel: String,
        /// What stopped it.
        how: &'static str,
        /// When.
        cycles: u64,
    },
    /// The result is not what the launch wants.
    #[error("kernel `{kernel}` ends with a wrong result: {mismatch}")]
    Wrong {
        /// Its name.
        kernel: String,
        /// The first difference.
        mismatch: Mismatch,
    },
}

/// The test bench of `launch` on `chip`, whose `design` is simulated for it.
pub fn test_bench(chip: &Chip, design: &Design, launch: &Launch, limits: Limits) -> Result<TestBench, TestBenchError> {
    let mut host = Host::with_design(chip, design, &Options::default())?;
    host.start(launch)?;
    let (verdict, cycles) = host.run(limits, |_, _| Ok(()))?;
    let kernel = launch.name.clone();
    match verdict {
        Verdict::Completed => {}
        Verdict::CycleLimit => return Err(TestBenchError::Endless { kernel, how: "stopped", cycles }),
        Verdict::Deadlocked => return Err(TestBenchError::Endless { kernel, how: "deadlocked", cycles }),
        Verdict::TimeLimit => return Err(TestBenchError::Endless { kernel, how: "stopped at the time limit", cycles }),
        Verdict::Interrupted => return Err(TestBenchError::Endless { kernel, how: "interrupted", cycles }),
    }
    launch
        .verify(|address, bytes| host.read_memory(address, bytes))
        .map_err(|mismatch| TestBenchError::Wrong { kernel, mismatch })?;
    let loads = loading(chip, launch)?;
    let memory = memory_image(chip, launch);
    let expected = host.read_memory(0, memory.len());
    let periods = periods(chip, design).map_err(HostError::from)?;
    let parameters = parameters(chip, periods, memory.len(), loads.len(), cycles);
    let files = vec![
        ("testbench.v".into(), bench(chip, design, launch, &parameters)),
        ("memory.hex".into(), image(&memory, chip.map().line_bytes())),
        ("expected.hex".into(), image(&expected, chip.map().line_bytes())),
        ("load.hex".into(), loads.iter().map(|write| format!("{:05x}{:016x}\n", write.address, write.data)).collect()),
    ];
    Ok(TestBench { files, cycles })
}

/// One line of memory a line of text, its last byte first.
fn image(bytes: &[u8], line: u32) -> String {
    let mut text = String::with_capacity(bytes.len() * 2 + bytes.len() / line as usize + 1);
    for line in bytes.chunks(line as usize) {
        line.iter().rev().for_each(|byte| write!(text, "{byte:02x}").expect("writing to a string succeeds"));
        text.push('\n');
    }
    text
}

fn bench(chip: &Chip, design: &Design, launch: &Launch, parameters: &str) -> String {
    let title = format!("Kernel {} on chip {}.", plain(&launch.name), plain(&chip.config().name));
    TEMPLATE
        .replace("@TITLE@", &title)
        .replace("@CLOCKS@", &for_clocks(chip, |clock, _| format!("  reg {clock};\n")))
        .replace("@RISE@", &for_clocks(chip, |clock, part| format!("      if ({part}_edge) {clock} = 1'b1;\n")))
        .replace("@FALL@", &for_clocks(chip, |clock, _| format!("      {clock} = 1'b0;\n")))
        .replace("@FALL0@", &for_clocks(chip, |clock, _| format!("    {clock} = 1'b0;\n")))
        .replace("@PARAMETERS@\n", parameters)
        .replace("@CHIP@\n", &instance(chip, design))
        .replace("@BUFFERS@\n", &buffers(launch))
}

/// A line for each clock of the chip: its port, and one of the parts that it clocks.
fn for_clocks(chip: &Chip, line: impl Fn(&str, &str) -> String) -> String {
    let parts = chip.config().clocks.parts();
    let first =
        parts.iter().enumerate().filter(|(i, (_, domain, _))| !parts[..*i].iter().any(|part| part.1 == *domain));
    first
        .map(|(_, &(part, domain, _))| {
            line(&if domain == "clock" { domain.into() } else { format!("clock_{domain}") }, part)
        })
        .collect()
}

/// Periods of cores, network, DRAM and overlays in ticks.
fn periods(chip: &Chip, design: &Design) -> Result<[u64; 4], SimError> {
    let domains = &design.top.domains;
    let periods = frequencies(chip).periods(domains)?;
    Ok(chip.config().clocks.domains().map(|part| {
        let found = domains.iter().zip(&periods).find(|(domain, _)| domain.name == part);
        found.and_then(|(_, period)| *period).unwrap_or(1)
    }))
}

fn parameters(chip: &Chip, [core, noc, dram, overlay]: [u64; 4], memory: usize, loads: usize, cycles: u64) -> String {
    let (map, timing) = (chip.map(), chip.config().memory.timing);
    let parameters = [
        ("CYCLES", cycles),
        ("LINES", memory.div_ceil(map.line_bytes() as usize) as u64),
        ("LINE", map.line_bytes().into()),
        ("LOADS", loads as u64),
        ("IDLE", idle_cycles(chip, loads)),
        ("CHANNELS", map.controllers() as u64),
        ("BANKS", map.banks() as u64),
        ("BANK_BITS", map.bank_bits().into()),
        ("COLUMN_BITS", map.column_bits().into()),
        ("CHUNK", (1 << map.chunk_bits() >> map.line_bytes().ilog2()) as u64),
        ("LATENCY", timing.latency().max(timing.write_latency()).into()),
        ("T_BURST", timing.burst.into()),
        ("T_CL", timing.t_cl.into()),
        ("T_WL", timing.write_delay().into()),
        ("T_CCD", timing.t_ccd.into()),
        ("T_RTW", timing.t_rtw.into()),
        ("T_WTR", timing.t_wtr.into()),
        ("T_RP", timing.t_rp.into()),
        ("T_RC", timing.t_rc.into()),
        ("T_RAS", timing.t_ras.into()),
        ("T_RCD", timing.t_rcd.into()),
        ("T_RRD", timing.t_rrd.into()),
    ];
    let periods = [("CORE", core), ("NOC", noc), ("DRAM", dram), ("OVERLAY", overlay)];
    let periods = periods.iter().map(|(part, ticks)| format!("  localparam [63:0] PERIOD_{part} = 64'd{ticks};\n"));
    periods.chain(parameters.iter().map(|(name, value)| format!("  localparam integer {name} = {value};\n"))).collect()
}

/// The chip and the wires from its pins to the vectors of all channels.
fn instance(chip: &Chip, design: &Design) -> String {
    let map = chip.map();
    let bytes = map.line_bytes() as usize;
    let numbers = [
        ("command", "commands", 3),
        ("bank", "banks", map.bank_bits()),
        ("row", "rows", map.row_bits()),
        ("column", "columns", map.column_bits()),
    ];
    let (mut wires, mut pins) = (String::new(), String::new());
    for c in 0..map.controllers() {
        for (pin, vector, width) in numbers {
            let zeros = 32 - width;
            let (top, low) = (32 * c + 31, 32 * c);
            writeln!(wires, "  wire [{}:0] dram{c}_{pin};", width - 1).expect("a string");
            writeln!(wires, "  assign {vector}[{top}:{low}] = {{{zeros}'d0, dram{c}_{pin}}};").expect("a string");
            write!(pins, ",\n      .dram{c}_{pin}(dram{c}_{pin})").expect("a string");
        }
        for (pin, width) in [("write_data", 8 * bytes), ("write_mask", bytes), ("read_data", 8 * bytes)] {
            let (top, low) = (width * (c + 1) - 1, width * c);
            write!(pins, ",\n      .dram{c}_{pin}({pin}[{top}:{low}])").expect("a string");
        }
    }

    let host = ["host_write", "host_address", "host_data", "host_start", "host_done"];
    let host: String = host.iter().map(|pin| format!(",\n      .{pin}({pin})")).collect();
    let clocks = for_clocks(chip, |clock, _| {
        let reset = clock.replace("clock", "reset");
        format!("      .{clock}({clock}),\n      .{reset}(reset),\n")
    });
    let (clocks, host) = (clocks.trim_end(), host.trim_start_matches(",\n"));
    format!("{wires}  {} chip (\n{clocks}\n{host}{pins}\n  );\n\n", design.top.name)
}

/// Statements that print the buffer of an address; each buffer ends where the next begins.
fn buffers(launch: &Launch) -> String {
    let addresses = launch.buffer_addresses();
    let mut text = String::new();
    for (buffer, address) in launch.buffers.iter().zip(addresses).rev() {
        let name = plain(&buffer.name);
        writeln!(
            text,
            "      if (address >= 32'd{address})\n        $display(\"FAIL: buffer {name}, bytes from %0d on: found 0x%08x, \
             expected 0x%08x\", address - 32'd{address}, found, wanted);\n      else"
        )
        .expect("a string");
    }
    text + "      $display(\"FAIL: address %0d, before all buffers: found 0x%08x, expected 0x%08x\", address, found, wanted);\n"
}

/// A name as it may stand in a string or comment of Verilog: what is not a plain letter, digit or mark becomes `_`.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "_-. ".contains(c) { c } else { '_' }).collect()
}
