//! A block in the cells of a library: mapped by Yosys, simulated by Icarus Verilog, its energy added up cell by cell.

use crate::{Stimuli, liberty::Library};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::BufReader,
    path::Path,
    process::Command,
};
use vcd::{Command as Event, IdCode, Parser, ScopeItem, Value};
use warpmesh::{
    area::yosys::yosys_in,
    netlist::Design,
    verilog::{ExportOptions, export, identifier},
};

/// Energy of all cycles, fJ.
#[derive(Clone, Copy, Default, Debug)]
pub struct GateEnergy {
    /// Of changes of data.
    pub data_fj: f64,
    /// Cells there are.
    pub cells: usize,
}

/// A cell of the mapped netlist, with the net at each pin.
struct Instance {
    kind: String,
    pins: Vec<(String, String)>,
}

/// The energy of `design` in the cells of `liberty` as `stimuli` go through it. Its outputs have to be those of the stimuli.
pub fn gate_energy(
    design: &Design,
    stimuli: &Stimuli,
    library: &Library,
    liberty: &Path,
    folder: &Path,
) -> Result<GateEnergy, String> {
    let top = &design.top.name;
    let clocked = map(design, liberty, folder);
    fs::write(folder.join("bench.v"), bench(top, stimuli, clocked)).expect("a file can be written");
    for (name, rows) in [("stimuli.hex", &stimuli.inputs), ("expected.hex", &stimuli.outputs)] {
        let rows: String = rows.iter().flat_map(|row| [row.as_str(), "\n"]).collect();
        fs::write(folder.join(name), rows).expect("a file can be written");
    }
    let said = call(folder, "iverilog", &["-g2012", "-o", "bench", "bench.v", "mapped.v", "cells.v"]);
    assert!(said.trim().is_empty(), "{top}: {said}");
    let said = call(folder, "vvp", &["bench"]);
    if !said.contains("PASS") {
        // Synthesis has set what is not reset, and may be anything, to what is best.
        return Err(format!(
            "{top}: outputs of gates are not those of the block: {}",
            said.lines().last().unwrap_or_default()
        ));
    }
    let changes = changes(&folder.join("gates.vcd"));
    let cells = instances(&fs::read_to_string(folder.join("mapped.v")).expect("Yosys has written it"));
    let mut loads: BTreeMap<&str, f64> = BTreeMap::new();
    for cell in &cells {
        for (pin, net) in &cell.pins {
            if let Some(input) = library.cells[&cell.kind].inputs.get(pin) {
                *loads.entry(net).or_default() += input.ff;
            }
        }
    }
    let load = |net: &str| loads.get(net).copied().unwrap_or_default();
    let changed = |net: &str| changes.get(net).copied().unwrap_or_default() as f64;
    let half_v2 = 0.5 * library.volts * library.volts;
    let mut energy = GateEnergy { cells: cells.len(), ..GateEnergy::default() };
    // What drives the nets at inputs is outside, but they are there for these cells.
    for (net, ff) in &loads {
        if stimuli.is_input(net) {
            energy.data_fj += changed(net) * ff * half_v2;
        }
    }
    for cell in &cells {
        let about = &library.cells[&cell.kind];
        let mut follows = 0.0f64;
        for (pin, net) in &cell.pins {
            if about.outputs.contains_key(pin) {
                let (changed, ff) = (changed(net), load(net));
                energy.data_fj += changed * (about.inside_fj(pin, ff) + ff * half_v2);
                follows = follows.max(changed);
            }
        }
        for (pin, net) in &cell.pins {
            let Some(input) = about.inputs.get(pin) else { continue };
            if about.clock.as_ref().is_some_and(|clock| clock != pin) {
                energy.data_fj += (changed(net) - follows).max(0.0) * input.fj;
            }
        }
    }
    Ok(energy)
}

/// Writes the mapped netlist, flat, each net one bit, and cells that can be simulated. Whether it has a clock.
fn map(design: &Design, liberty: &Path, folder: &Path) -> bool {
    let options = ExportOptions { sram_bits: None, ..ExportOptions::default() };
    let files = export(design, &options);
    let read: String = files.iter().map(|file| format!(" {}.v", file.name)).collect();
    let (top, liberty) = (&design.top.name, liberty.display());
    let script = format!(
        "read_verilog{read}; synth -flatten -top {top} -run begin:fine; memory_map; opt -full; techmap; opt; \
         dfflibmap -liberty \"{liberty}\"; abc -liberty \"{liberty}\"; opt_clean -purge; splitnets; rename -hide */*; \
         write_verilog -noattr -noexpr mapped.v; design -reset; read_liberty -ignore_miss_func \"{liberty}\"; \
         write_verilog -noattr cells.v"
    );
    yosys_in(folder, &files, &["-q", "-p", &script]).unwrap_or_else(|error| panic!("{error}"));
    // As the simulation, gates begin with 0.
    let cells = fs::read_to_string(folder.join("cells.v")).expect("Yosys has written it");
    fs::write(folder.join("cells.v"), cells.replace("reg IQ;", "reg IQ = 1'b0;")).expect("a file can be written");
    let mapped = fs::read_to_string(folder.join("mapped.v")).expect("Yosys has written it");
    mapped.lines().any(|line| line.trim() == "input clock;")
}

/// Drives the gates, and compares their outputs just before every clock edge.
fn bench(top: &str, stimuli: &Stimuli, clocked: bool) -> String {
    let (inputs, outputs, cycles) = (stimuli.input_bits(), stimuli.output_bits(), stimuli.inputs.len());
    let mut ports = vec![];
    if clocked {
        ports.push(".clock(clock), .reset(reset)".to_string());
    }
    for (of, bits) in [("now", &stimuli.input_ports), ("got", &stimuli.output_ports)] {
        let mut low = 0;
        for (name, width) in bits {
            ports.push(format!(".{}({of}[{low} +: {width}])", identifier(name)));
            low += width;
        }
    }
    let ports = ports.join(", ");
    format!(
        "`timescale 1ns/1ps
module bench;
  reg clock = 0, reset = 1;
  reg [{inputs}-1:0] stimuli [0:{cycles}-1];
  reg [{outputs}-1:0] expected [0:{cycles}-1];
  reg [{inputs}-1:0] now;
  wire [{outputs}-1:0] got;
  integer cycle, wrong = 0;
  {top} gates ({ports});
  initial begin
    $readmemh(\"stimuli.hex\", stimuli);
    $readmemh(\"expected.hex\", expected);
    now = stimuli[0];
    #5 clock = 1;
    #5 clock = 0; reset = 0;
    #1 $dumpfile(\"gates.vcd\");
    $dumpvars(1, gates);
    for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin
      now = stimuli[cycle];
      #4 if (got !== expected[cycle]) begin
        wrong = wrong + 1;
        if (wrong < 4) $display(\"cycle %0d: %h, expected %h\", cycle, got, expected[cycle]);
      end
      #1 clock = 1;
      #5 clock = 0;
    end
    if (wrong == 0) $display(\"PASS\"); else $display(\"%0d cycles differ\", wrong);
    $finish;
  end
endmodule
"
    )
}

/// Changes of each net; bits of a port are `name[bit]`.
fn changes(file: &Path) -> BTreeMap<String, u64> {
    let file = File::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut parser = Parser::new(BufReader::new(file));
    let header = parser.parse_header().expect("Icarus writes a header");
    // Nets that are one net have one code.
    let mut names: BTreeMap<IdCode, Vec<Vec<String>>> = BTreeMap::new();
    let mut scopes: Vec<_> = header.items.iter().collect();
    while let Some(item) = scopes.pop() {
        match item {
            ScopeItem::Scope(scope) => scopes.extend(&scope.items),
            ScopeItem::Var(var) => {
                let bit = |bit: u32| format!("{}[{bit}]", var.reference);
                let bits =
                    if var.index.is_none() { vec![var.reference.clone()] } else { (0..var.size).map(bit).collect() };
                names.entry(var.code).or_default().push(bits);
            }
            _ => {}
        }
    }
    let mut values: BTreeMap<IdCode, Vec<Value>> = BTreeMap::new();
    let mut changes: BTreeMap<String, u64> = BTreeMap::new();
    for event in parser.map(|event| event.expect("Icarus writes what can be read")) {
        let (code, now) = match event {
            Event::ChangeScalar(code, value) => (code, vec![value]),
            Event::ChangeVector(code, value) => (code, value.iter().collect()),
            _ => continue,
        };
        let Some(names) = names.get(&code) else { continue };
        // The highest bits are left out where they repeat; `now` begins with the highest.
        let fill = match now.first() {
            Some(Value::V1) | None => Value::V0,
            Some(value) => *value,
        };
        let missing = names[0].len() - now.len();
        let now: Vec<Value> = std::iter::repeat_n(fill, missing).chain(now).rev().collect();
        if let Some(before) = values.insert(code, now.clone()) {
            for (bit, (before, now)) in before.iter().zip(&now).enumerate() {
                if matches!((before, now), (Value::V0, Value::V1) | (Value::V1, Value::V0)) {
                    names.iter().for_each(|names| *changes.entry(names[bit].clone()).or_default() += 1);
                }
            }
        }
    }
    changes
}

/// `  cell name (`, a line `    .PIN(net),` for each pin, `  );`.
fn instances(text: &str) -> Vec<Instance> {
    let mut instances: Vec<Instance> = vec![];
    let mut inside = false;
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            [kind, _, "("] if !inside => {
                instances.push(Instance { kind: (*kind).into(), pins: vec![] });
                inside = true;
            }
            [");"] => inside = false,
            _ if inside => {
                let (pin, net) = line.trim().trim_start_matches('.').split_once('(').expect("a pin");
                let net = net.trim_end_matches([',', ')', ' ']).replace(' ', "");
                instances.last_mut().expect("in one").pins.push((pin.into(), net));
            }
            _ => {}
        }
    }
    instances
}

fn call(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).current_dir(folder).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {said}");
    said
}
