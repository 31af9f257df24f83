//! The mapped netlist from clock edge to clock edge: OpenSTA, with clock to output, slopes, loads and setup of the
//! library's cells. Wires have no load, as in abc and here: a library's statistics of them are left out.
//!
//! Every clock of the block is ideal, and has the same long period; clocks are asynchronous to each other, inputs come
//! at the edge and outputs are sampled at the next one, as in our own model. Reset is given time: it is no path of a
//! cycle.

use super::mapped::NETLIST;
use crate::area::yosys::{SynthesisError, unwritten};
use serde::{Deserialize, Serialize};
use std::{fmt::Write, fs, path::Path, process::Command};
use verilog::ClockPorts;

/// A whole path, as OpenSTA sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StaticTiming {
    /// What OpenSTA calls itself.
    pub opensta: String,
    /// From clock edge to clock edge, ns.
    pub ns: f64,
    /// Cells on it, with the flip-flop that it begins at.
    pub cells_deep: u32,
    /// `register to register`, or with a port of the block.
    pub kind: String,
}

/// What the netlist does not say.
pub(super) struct Constraints<'a> {
    /// The library's text.
    pub liberty: &'a str,
    /// Name of the module.
    pub top: &'a str,
    /// Its clocks.
    pub clocks: &'a [ClockPorts],
    /// The cell that drives its inputs.
    pub driver: Option<&'a str>,
}

/// Of every clock, ns: OpenSTA's numbers have some seven digits.
const PERIOD: f64 = 100.0;

/// The library without loads of wires, beside the netlist.
const CELLS: &str = "cells.lib";

/// What OpenSTA calls itself.
pub(super) fn version() -> Result<String, SynthesisError> {
    let output = Command::new("sta").arg("-version").output().map_err(SynthesisError::NoSta)?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
    // Other programs have that name, too.
    match text.split('.').next().and_then(|major| major.parse::<u32>().ok()) {
        Some(2..) => Ok(format!("OpenSTA {text}")),
        _ => Err(SynthesisError::StaVersion(if text.is_empty() {
            "it says nothing of its version".into()
        } else {
            text
        })),
    }
}

/// Times the netlist in a folder.
pub(super) fn timed_in(
    folder: &Path,
    constraints: &Constraints,
    opensta: String,
) -> Result<StaticTiming, SynthesisError> {
    let liberty: String =
        constraints.liberty.lines().filter(|line| !is_wire_load(line)).flat_map(|line| [line, "\n"]).collect();
    let file = folder.join(NETLIST);
    let netlist = fs::read_to_string(&file).map_err(|error| unwritten(&file, &error))?;
    for (name, text) in [(CELLS, liberty), (NETLIST, bit_by_bit(&netlist)), ("sta.tcl", script(constraints))] {
        let file = folder.join(name);
        fs::write(&file, text).map_err(|error| unwritten(&file, &error))?;
    }
    let output = Command::new("sta").current_dir(folder).args(["-no_init", "-no_splash", "-exit", "sta.tcl"]).output();
    let output = output.map_err(SynthesisError::NoSta)?;
    let [printed, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let said = [printed, error].concat();
    // OpenSTA goes on after an error, and with a black box for a cell that it does not know.
    let wrong = |line: &str| line.starts_with("Error") || line.contains("black box");
    if !output.status.success() || said.lines().any(wrong) {
        return Err(SynthesisError::StaFailed(said.trim().to_string()));
    }
    let (ns, cells_deep, kind) = longest(&said).ok_or(SynthesisError::StaNoPath)?;
    Ok(StaticTiming { opensta, ns, cells_deep, kind })
}

/// The netlist with an assignment for each bit: OpenSTA reads no `assign { a, b } = { c, 2'h1 };`.
fn bit_by_bit(netlist: &str) -> String {
    let mut text = String::new();
    for line in netlist.lines() {
        let sides = line.trim().strip_prefix("assign ").and_then(|rest| rest.strip_suffix(';')?.split_once(" = "));
        match sides.map(|(left, right)| (bits(left), bits(right))) {
            Some((left, right)) if left.len() == right.len() => {
                for (left, right) in left.iter().zip(&right) {
                    writeln!(text, "  assign {left} = {right} ;").expect("a string");
                }
            }
            _ => text.extend([line, "\n"]),
        }
    }
    text
}

/// Of a side of an assignment, a net or `{ a, b }`, the most significant first: nets of one bit, and constants.
fn bits(side: &str) -> Vec<String> {
    let side = side.trim();
    let parts = side.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(side);
    parts.split(',').flat_map(|part| constant(part.trim()).unwrap_or_else(|| vec![part.trim().to_string()])).collect()
}

/// The bits of `4'hc`, `2'b01`.
fn constant(part: &str) -> Option<Vec<String>> {
    let (width, digits) = part.split_once('\'')?;
    let (each, digits) = match digits.split_at_checked(1)? {
        ("h", digits) => (4, digits),
        ("b", digits) => (1, digits),
        _ => return None,
    };
    let width = width.parse::<usize>().ok()?;
    let values = digits.chars().map(|digit| digit.to_digit(1 << each)).collect::<Option<Vec<_>>>()?;
    let all: Vec<_> = values.iter().flat_map(|value| (0..each).rev().map(move |bit| value >> bit & 1)).collect();
    let missing = width.saturating_sub(all.len());
    let all = std::iter::repeat_n(0, missing).chain(all.iter().copied().skip(all.len().saturating_sub(width)));
    Some(all.map(|bit| format!("1'b{bit}")).collect())
}

/// `default_wire_load : "typical";`, or the same with `_selection`.
fn is_wire_load(line: &str) -> bool {
    let name = line.trim_start().split([' ', ':', '\t']).next();
    // What stands behind it in the line is not lost.
    let alone = line.matches(';').count() <= 1;
    alone && name.is_some_and(|name| ["default_wire_load", "default_wire_load_selection"].contains(&name))
}

/// Commands in the format of Synopsys (SDC), with those of OpenSTA around them.
pub(super) fn script(constraints: &Constraints) -> String {
    let Constraints { liberty: _, top, clocks, driver } = constraints;
    let mut text =
        format!("read_liberty {CELLS}\nset_cmd_units -time ns\nread_verilog {NETLIST}\nlink_design {{{top}}}\n");
    let mut line = |words: &str| writeln!(text, "{words}").expect("a string");
    let found: Vec<&String> = clocks.iter().filter_map(|ports| ports.clock.as_ref()).collect();
    for clock in &found {
        line(&format!("create_clock -name {{{clock}}} -period {PERIOD} [get_ports {{{clock}}}]"));
    }
    // Logic alone has a clock all the same, or nothing would be timed.
    let mut names = found.iter().map(|name| name.as_str()).collect::<Vec<_>>();
    if names.is_empty() {
        line(&format!("create_clock -name clock -period {PERIOD}"));
        names.push("clock");
    } else if names.len() > 1 {
        let groups: String = names.iter().map(|name| format!(" -group {{{name}}}")).collect();
        line(&format!("set_clock_groups -asynchronous{groups}"));
    }
    // All inputs but clocks.
    line("set data {}");
    let clock_ports: Vec<&str> = found.iter().map(|name| name.as_str()).collect();
    let is_clock = format!("[lsearch {{{}}} [get_property $port full_name]]", clock_ports.join(" "));
    line(&format!("foreach port [all_inputs] {{ if {{{is_clock} < 0}} {{ lappend data $port }} }}"));
    if let Some(cell) = driver {
        line(&format!("set_driving_cell -lib_cell {{{cell}}} $data"));
    }
    for name in names {
        line(&format!("set_input_delay 0 -add_delay -clock {{{name}}} $data"));
        line(&format!("set_output_delay 0 -add_delay -clock {{{name}}} [all_outputs]"));
    }
    for reset in clocks.iter().filter_map(|ports| ports.reset.as_ref()) {
        line(&format!("set_false_path -from [get_ports {{{reset}}}]"));
    }
    line("report_checks -path_delay max -digits 5");
    text
}

/// ns, cells and kind of the longest of the paths that `report_checks` prints.
fn longest(said: &str) -> Option<(f64, u32, String)> {
    let paths = said.split("Startpoint:").skip(1).filter_map(path);
    paths.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// ` _742_ (rising edge-triggered flip-flop ...)`, `Endpoint: ...`, a line `... 0.2103 v _742_/Q (cell)` for each pin, `... slack (MET)`.
fn path(text: &str) -> Option<(f64, u32, String)> {
    let port = |text: &str| text.contains("port clocked by");
    // What is long stands in two lines.
    let (start, rest) = text.split_once("Endpoint:")?;
    let (to, _) = rest.split_once("Path Group:")?;
    let end = |is_port: bool, port: &'static str| if is_port { port } else { "register" };
    let kind = format!("{} to {}", end(port(start), "input"), end(port(to), "output"));
    let arrival = rest.lines().take_while(|line| !line.contains("data arrival time"));
    // The flip-flop where it begins stands in two lines, as its clock and its output.
    let pins = arrival.filter_map(|line| line.split_whitespace().rev().nth(1).filter(|pin| pin.contains('/')));
    let mut cells: Vec<&str> = pins.filter_map(|pin| pin.rsplit_once('/').map(|(cell, _)| cell)).collect();
    cells.dedup();
    // The flip-flop where it ends is none on the way.
    let deep = cells.len() - usize::from(!port(to) && !cells.is_empty());
    let slack: f64 = rest.lines().find(|line| line.contains("slack ("))?.split_whitespace().next()?.parse().ok()?;
    Some((PERIOD - slack, deep as u32, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "Startpoint: _742_ (rising edge-triggered flip-flop clocked by clock)
Endpoint: _729_ (rising edge-triggered flip-flop clocked by clock)
Path Group: clock
Path Type: max

    Delay      Time   Description
-------------------------------------------------------------
   0.0000    0.0000   clock clock (rise edge)
   0.0000    0.0000 ^ _742_/CLK (dfrbp_1)
   0.2103    0.2103 v _742_/Q (dfrbp_1)
   0.2099    0.4202 ^ _381_/Y (a22oi_1)
   0.0002    0.4204 ^ _729_/D (dfrbp_1)
             0.4204   data arrival time

 100.0000  100.0000   clock clock (rise edge)
          100.0000 ^ _729_/CLK (dfrbp_1)
  -0.1156   99.8844   library setup time
             99.8844   data required time
-------------------------------------------------------------
             99.4640   slack (MET)

Startpoint: request[2] (input port clocked by a long
                        name)
Endpoint: index[0] (output port clocked by clock)
Path Group: clock
   0.0000    0.0000 v request[2] (in)
   0.2790    0.2790 v _081_/X (or4_1)
   0.1682    0.4472 ^ _082_/Y (nor2_2)
   0.0001    0.4473 ^ index[0] (out)
             0.4473   data arrival time
             99.5527   slack (MET)
";

    #[test]
    fn the_longest_path_of_a_report() {
        let (ns, deep, kind) = longest(SAID).expect("two paths");
        assert!((ns - 0.536).abs() < 1e-9, "{ns}");
        assert_eq!((deep, kind.as_str()), (2, "register to register"));
        let (_, second) = SAID.split_once("slack (MET)\n").expect("two paths");
        let (ns, deep, kind) = longest(second).expect("a path");
        assert!((ns - 0.4473).abs() < 1e-9, "{ns}");
        assert_eq!((deep, kind.as_str()), (2, "input to output"));
        assert_eq!(longest("No paths found."), None);
        assert_eq!(longest("Error: no network has been linked."), None);
    }

    /// Several clocks are asynchronous; logic alone has one, too.
    #[test]
    fn commands() {
        let ports = |domain: &str, clock: &str| ClockPorts {
            domain: domain.into(),
            clock: Some(clock.into()),
            reset: Some(format!("{clock}_reset")),
        };
        let clocks = [ports("write", "clock_write"), ports("read", "clock_read")];
        let text = script(&Constraints { liberty: "", top: "fifo", clocks: &clocks, driver: Some("buf_4") });
        for line in [
            "create_clock -name {clock_read} -period 100 [get_ports {clock_read}]",
            "set_clock_groups -asynchronous -group {clock_write} -group {clock_read}",
            "set_driving_cell -lib_cell {buf_4} $data",
            "set_false_path -from [get_ports {clock_write_reset}]",
        ] {
            assert!(text.lines().any(|l| l == line), "{text}");
        }
        let text = script(&Constraints { liberty: "", top: "adder", clocks: &[], driver: None });
        assert!(text.contains("create_clock -name clock -period 100\n"), "{text}");
    }

    #[test]
    fn assignments_are_of_a_bit() {
        let text = "  wire a;\n  assign { \\x[1] , b } = { c, \\y[0]  };\n  assign { d, e, f, g, h } = { i, 3'h5, 1'b0 };\n  assign k = l;\n";
        let expected = [
            "  wire a;",
            "  assign \\x[1] = c ;",
            "  assign b = \\y[0] ;",
            "  assign d = i ;",
            "  assign e = 1'b1 ;",
            "  assign f = 1'b0 ;",
            "  assign g = 1'b1 ;",
            "  assign h = 1'b0 ;",
            "  assign k = l ;",
        ];
        assert_eq!(bit_by_bit(text).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn loads_of_wires_are_left_out() {
        assert!(is_wire_load("  default_wire_load : \"1k\";") && is_wire_load("default_wire_load_selection: x;"));
        assert!(!is_wire_load("  default_wire_load_capacitance : 0.0003;") && !is_wire_load("wire_load (\"1k\") {"));
    }
}
