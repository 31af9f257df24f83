//! Dynamic power of blocks by our model and by their gates: `cargo bench --bench gate_power -- --liberty FILE.lib`.
//!
//! ```text
//!   chip runs a kernel --inputs of a block, cycle by cycle--+--> our simulation: changed bits of nets --model--> fJ a cycle
//!                                                           +--> Yosys' cells in Icarus: changes of nets --Liberty--> fJ a cycle
//! ```
//!
//! The outputs of the gates have to be those of the block in every cycle. The gates' energy is added up cell by cell:
//! half of load times the square of the supply, and what the library says of the inside of the cell. Wires have no
//! capacitance in either, and the clock is no part of it. Prints rows of `src/measure/area/gate_power.csv`, whose first
//! line has the commands.

mod gates;
mod liberty;

use clap::Parser;
use gates::gate_energy;
use liberty::Library;
use std::{fs, path::PathBuf};
use tempfile::TempDir;
use warpmesh::{
    area::{ToggleLoads, Toggled, structure::Counting},
    chip::{build, load},
    hdl::{Bits, Module},
    host::{Host, Limits},
    netlist::{Design, elaborate},
    program::kernels,
    sim::{Engine, Options, Simulator},
    verilog::identifier,
};

/// Compares the dynamic power of blocks with that of their gates.
#[derive(Parser)]
#[command(name = "gate_power")]
struct GatePowerArguments {
    /// The library.
    #[arg(long, required = true)]
    liberty: PathBuf,
    /// The configuration, without `.toml`.
    #[arg(long, default_value = "default")]
    chip: String,
    /// The kernel.
    #[arg(long, default_value = "matmul")]
    kernel: String,
    /// Its size.
    #[arg(long, default_value_t = 64)]
    size: u32,
    /// Core cycles from the start of the kernel.
    #[arg(long, default_value_t = 2000)]
    cycles: u64,
    /// Kinds of blocks, of each of which the first one in the chip is taken.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "scoreboard,decode,write_back,alu32,compare_unit,vc_allocator,switch_allocator,output_unit,crossbar,flit_buffer,input_unit"
    )]
    blocks: Vec<String>,
    /// Keep what Yosys and Icarus make in this folder.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// What goes through a block, a row a cycle, as hexadecimal digits with the first port low.
pub struct Stimuli {
    /// Names and widths.
    pub input_ports: Vec<(String, u32)>,
    /// Likewise.
    pub output_ports: Vec<(String, u32)>,
    /// Rows.
    pub inputs: Vec<String>,
    /// Rows.
    pub outputs: Vec<String>,
}

impl Stimuli {
    /// Bits of a row.
    pub fn input_bits(&self) -> u32 {
        self.input_ports.iter().map(|(_, width)| width).sum()
    }

    /// Bits of a row.
    pub fn output_bits(&self) -> u32 {
        self.output_ports.iter().map(|(_, width)| width).sum()
    }

    /// The net, or the port that it is a bit of, is an input.
    pub fn is_input(&self, net: &str) -> bool {
        let port = net.split('[').next().unwrap_or(net);
        self.input_ports.iter().any(|(name, _)| identifier(name) == port)
    }
}

/// A block of the chip.
struct Watched {
    kind: String,
    path: String,
    module: Module,
    /// Values of its inputs before each edge.
    inputs: Vec<Vec<Bits>>,
    /// And of its outputs.
    outputs: Vec<Vec<Bits>>,
}

/// Cycles before the first, with the same inputs: registers that are not as reset leaves them come to be as in the chip.
const SETTLES: usize = 8;

fn main() {
    let arguments = GatePowerArguments::parse();
    let library = Library::read(&arguments.liberty);
    let liberty = fs::canonicalize(&arguments.liberty).expect("it has been read");
    println!("chip,kernel,block,cells,gates_fj,logic,arithmetic,pins,write_pins,flip_flops");
    for block in watched(&arguments) {
        let design = elaborate(&block.module).unwrap_or_else(|error| panic!("{}: {error:?}", block.kind));
        let (stimuli, toggled) = match replay(&design, &block) {
            Ok(found) => found,
            Err(why) => {
                eprintln!("`{}` is left out: {why}", block.kind);
                continue;
            }
        };
        let folder = TempDir::new().expect("a folder can be made");
        let folder = match &arguments.keep {
            Some(keep) => {
                let folder = keep.join(&block.kind);
                fs::create_dir_all(&folder).expect("a folder can be made");
                folder
            }
            None => folder.path().into(),
        };
        let cycles = block.inputs.len() as f64;
        let gates = match gate_energy(&design, &stimuli, &library, &liberty, &folder) {
            Ok(gates) => gates,
            Err(why) => {
                eprintln!("`{}` is left out: {why}", block.kind);
                continue;
            }
        };
        let counts = toggled.0.map(|count| format!("{:.3}", count / cycles)).join(",");
        let (chip, kernel, kind, fj) = (&arguments.chip, &arguments.kernel, &block.kind, gates.data_fj / cycles);
        println!("{chip},{kernel},{kind},{},{fj:.1},{counts}", gates.cells);
    }
}

/// The inputs of the blocks while the chip runs.
fn watched(arguments: &GatePowerArguments) -> Vec<Watched> {
    let chip = load(Some(&PathBuf::from(format!("{}.toml", arguments.chip))), &[]).expect("a chip");
    let design = elaborate(&build(&chip).expect("a network")).expect("the chip is correct");
    let mut blocks: Vec<_> = arguments
        .blocks
        .iter()
        .filter_map(|kind| {
            let found = first(&design.top, kind, "");
            if found.is_none() {
                eprintln!("there is no `{kind}` in this chip");
            }
            let (path, module) = found?;
            Some(Watched { kind: kind.clone(), path, module, inputs: vec![], outputs: vec![] })
        })
        .collect();
    let options = Options { activity: true, engine: Engine::Word, ..Options::default() };
    let mut host = Host::with_design(&chip, &design, &options).expect("the chip compiles");
    let kernel = kernels::find(&arguments.kernel).expect("a kernel");
    host.start(&kernel.launch(Some(arguments.size), 1, &chip.target()).expect("a launch")).expect("it fits");
    let mut look = |simulator: &mut Simulator| {
        for block in &mut blocks {
            let mut of = |&port: &_| {
                let path = format!("{}.{}", block.path, block.module.net(port).name);
                let net = simulator.net(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
                simulator.peek_bits_at(net)
            };
            block.inputs.push(block.module.inputs.iter().map(&mut of).collect());
            block.outputs.push(block.module.outputs.iter().map(of).collect());
        }
    };
    // Alone, a block has not been through the reset and the start of the kernel.
    (0..SETTLES).for_each(|_| look(host.simulator()));
    let limits = Limits { max_cycles: arguments.cycles, ..Limits::default() };
    host.run(limits, |simulator, _| {
        look(simulator);
        Ok(())
    })
    .expect("no rule is broken");
    blocks
}

/// The first block of a kind below a module, with its path.
fn first(module: &Module, kind: &str, path: &str) -> Option<(String, Module)> {
    module.instances.iter().find_map(|child| {
        let path = if path.is_empty() { child.name.clone() } else { format!("{path}.{}", child.name) };
        if child.module.kind == kind { Some((path, child.module.clone())) } else { first(&child.module, kind, &path) }
    })
}

/// Simulates the block alone with these inputs: its outputs, and what toggles.
///
/// # Errors
/// Its outputs are others than in the chip, where its registers had other values at the start of the kernel.
fn replay(design: &Design, block: &Watched) -> Result<(Stimuli, Toggled), String> {
    let module = &block.module;
    let ports = |nets: &[warpmesh::hdl::NetId]| {
        nets.iter().map(|&net| (module.net(net).name.clone(), module.net(net).width)).collect::<Vec<_>>()
    };
    let (input_ports, output_ports) = (ports(&module.inputs), ports(&module.outputs));
    let options = Options { activity: true, engine: Engine::Word, ..Options::default() };
    let mut simulator = Simulator::new(design, &options).expect("the block compiles");
    simulator.reset(1);
    let (mut inputs, mut outputs) = (vec![], vec![]);
    for (cycle, row) in block.inputs.iter().enumerate() {
        for ((port, _), value) in input_ports.iter().zip(row) {
            simulator.poke_bits(port, value);
        }
        if cycle == 0 {
            simulator.start_activity(1);
        }
        inputs.push(hexadecimal(row));
        let shown: Vec<_> = output_ports.iter().map(|(port, _)| simulator.peek_bits(port)).collect();
        for (((port, _), shown), there) in output_ports.iter().zip(&shown).zip(&block.outputs[cycle]) {
            if cycle >= SETTLES && shown != there {
                return Err(format!("{}, cycle {cycle}: `{port}` was another in the chip", block.path));
            }
        }
        outputs.push(hexadecimal(&shown));
        simulator.step().map_err(|error| format!("{}, cycle {cycle}: {error}", block.path))?;
    }
    let activity = simulator.finish_activity().expect("it was begun");
    let loads = ToggleLoads::new(design, &Counting { array_bits: None });
    let mut toggled = Toggled::default();
    activity.tiles.iter().flat_map(|tile| &tile.blocks).for_each(|block| toggled += loads.of(block));
    Ok((Stimuli { input_ports, output_ports, inputs, outputs }, toggled))
}

/// A row of bits, the first value low.
fn hexadecimal(values: &[Bits]) -> String {
    let highest_first: Vec<_> = values.iter().rev().cloned().collect();
    format!("{:x}", Bits::concat(&highest_first))
}
