//! Composition: the chip as tiles and wires.
//!
//! ```text
//!  host_* --> dispatcher ==> core 0 .. n-1   (launch fields, program and parameters: broadcast; block_valid: one each)
//!                  ^------------ block_done
//!  core i   <--> interface <--> router --+
//!  memory c <--> interface <--> router --+-- mesh
//!     |
//!     +--> dram{c}_* pins
//! ```
//!
//! Instances of the top: `dispatcher`, `core{i}`, `memory{c}`, `interface{node}`, `router{node}` (`net{s}_router{node}` in one of two
//! subnetworks). The top has no logic of its own.
//!
//! Pins: the host port (`host_write`, `host_address`, `host_data`, `host_start`, `host_done`) and per controller `dram{c}_command`,
//! `_bank`, `_row`, `_column`, `_write_data`, `_write_mask` and `_read_data`; see `docs/tiles.md`.

use super::{Chip, ChipConfig, EMBEDDED, dispatcher, read};
use crate::{
    core::core,
    hdl::{Builder, Child, Module},
    memory::controller,
    noc::{
        FlitFormat, MessageClass, NocError,
        fabric::Terminal,
        interface::{DATA_BITS, HEADER_BITS},
        network_interface,
    },
};

use std::path::Path;

/// Outputs of the dispatcher that go to every core.
const BROADCAST: [&str; 19] = [
    "program_write",
    "program_address",
    "program_data",
    "param_write",
    "param_address",
    "param_data",
    "block_dim_x",
    "block_dim_y",
    "block_dim_z",
    "grid_dim_x",
    "grid_dim_y",
    "grid_dim_z",
    "block_warps",
    "block_threads",
    "shared_stride",
    "block_slot",
    "block_x",
    "block_y",
    "block_z",
];

/// The whole chip as one module.
pub fn build(chip: &Chip) -> Result<Module, NocError> {
    let config = chip.config();
    let m = Builder::new("chip", names(config));
    m.doc("The whole chip: tiles and wires.");
    m.comment("Network.");
    let terminals = if chip.is_ideal() { vec![] } else { chip.fabric().build(&m)? };

    m.comment("Host port and block dispatcher.");
    let dispatcher = m.tile("dispatcher", &dispatcher(&chip.dispatcher()));
    for (port, width) in [("host_write", 1), ("host_address", 20), ("host_data", 64), ("host_start", 1)] {
        dispatcher.drive(port, m.input(port, width));
    }
    m.output_of("host_done", dispatcher.get("host_done"));

    m.comment("Cores.");
    let module = core(&chip.core());
    for (i, &node) in chip.core_nodes().iter().enumerate() {
        let core = m.tile(&format!("core{i}"), &module);
        BROADCAST.iter().for_each(|port| core.drive(port, dispatcher.get(port)));
        core.drive("block_valid", dispatcher.get(&format!("block_valid{i}")));
        dispatcher.drive(&format!("block_done{i}"), core.get("block_done"));
        attach(&m, chip, (node, terminals.get(node)), core, MessageClass::Request)?;
    }

    m.comment("Memory controllers and their DRAM pins.");
    let module = controller(&chip.controller());
    for (c, &node) in chip.memory_nodes().iter().enumerate() {
        let memory = m.tile(&format!("memory{c}"), &module);
        attach(&m, chip, (node, terminals.get(node)), memory, MessageClass::Reply)?;
        for pin in ["command", "bank", "row", "column", "write_data", "write_mask"] {
            m.output_of(&format!("dram{c}_{pin}"), memory.get(&format!("dram_{pin}")));
        }
        memory.drive("dram_read_data", m.input(&format!("dram{c}_read_data"), 512));
    }
    Ok(m.finish())
}

/// What an endpoint sends over its packet port, with the place that it gives back.
const SENT: [&str; 7] = ["tx_valid", "tx_dest", "tx_write", "tx_tag", "tx_header", "tx_data", "rx_credit"];

/// Joins an endpoint with its routers through a network interface: every packet field that both sides have. Without routers its packet
/// port are pins, `node<node>_*`.
fn attach<'m>(
    m: &'m Builder,
    chip: &Chip,
    (node, terminal): (usize, Option<&Terminal<'m>>),
    endpoint: Child<'m>,
    sends: MessageClass,
) -> Result<(), NocError> {
    let params = chip.interface(sends);
    let FlitFormat { node_bits, tag_bits, .. } = params.network.format;
    let received: &[(&str, u32)] = match sends {
        MessageClass::Request => &[("rx_valid", 1), ("rx_write", 1), ("rx_tag", tag_bits), ("rx_data", DATA_BITS)],
        MessageClass::Reply => &[
            ("rx_valid", 1),
            ("rx_src", node_bits),
            ("rx_write", 1),
            ("rx_tag", tag_bits),
            ("rx_header", HEADER_BITS),
            ("rx_data", DATA_BITS),
        ],
    };
    let received = received.iter().copied().chain([("tx_credit", 1)]);
    let Some(terminal) = terminal else {
        for field in SENT {
            m.output_of(&format!("node{node}_{field}"), endpoint.get(field));
        }
        received.for_each(|(field, width)| endpoint.drive(field, m.input(&format!("node{node}_{field}"), width)));
        return Ok(());
    };
    let interface = m.tile(&format!("interface{node}"), &network_interface(&params)?);
    terminal.attach(m, &params, interface);
    for field in SENT {
        interface.drive(field, endpoint.get(field));
    }
    received.for_each(|(field, _)| endpoint.drive(field, interface.get(field)));
    Ok(())
}

/// The chip's name, and for a chip that is not one of the embedded ones a hash of its configuration: two chips of one name
/// are two modules.
fn names(config: &ChipConfig) -> Vec<(String, String)> {
    let name: String = config.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    // An embedded config is called like its file.
    let same = EMBEDDED.iter().filter(|(file, _)| file.trim_end_matches(".toml") == config.name);
    let embedded = same.filter_map(|(file, _)| read(Some(Path::new(file)), &[]).ok());
    let mut names = vec![("name".to_string(), name)];
    if !embedded.into_iter().any(|known| known.config == *config) {
        // FNV-1a, 32 bits.
        let text = format!("{config:?}");
        let hash = text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        names.push(("config".into(), format!("{hash:08x}")));
    }
    names
}
