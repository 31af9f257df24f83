//! All that a configuration makes: netlist, behavioural parts, areas; as one number, without the names of modules and
//! nets, which may have a value in them that does nothing else.

use std::{
    collections::HashMap,
    fmt::{Debug, Write},
    hash::{DefaultHasher, Hash, Hasher},
};
use warpmesh::{
    area::{ChipArea, Layout, Technology, TechnologyNode},
    chip::{Chip, build},
    hdl::{Module, ModuleDef},
    host::frequencies,
};

/// Equal for chips that are the same but for names.
pub fn signature(chip: &Chip) -> Result<u64, String> {
    let top = build(chip).map_err(|error| error.to_string())?;
    if let Some(problem) = top.problems.first() {
        return Err(problem.message.clone());
    }
    let mut modules = HashMap::new();
    let mut hash = DefaultHasher::new();
    netlist(&top, &mut modules).hash(&mut hash);
    behavioural(chip).hash(&mut hash);
    let technology = Technology::at(TechnologyNode::Nm65);
    format!("{:?}", ChipArea::new(chip, Layout::Tile, &technology)).hash(&mut hash);
    chip.config().name.hash(&mut hash);
    Ok(hash.finish())
}

/// A module and what is in it.
fn netlist(module: &Module, known: &mut HashMap<usize, u64>) -> u64 {
    if let Some(number) = known.get(&module.key()) {
        return *number;
    }
    let children: Vec<_> = module.instances.iter().map(|child| netlist(&child.module, known)).collect();
    let ModuleDef { kind, inputs, outputs, drivers, synchronisers, .. } = &**module;
    let mut hash = DefaultHasher::new();
    (kind, inputs, outputs, drivers, synchronisers, children).hash(&mut hash);
    module.nets.iter().for_each(|net| (net.width, &net.kind, net.domain).hash(&mut hash));
    module.exprs.iter().for_each(|expr| (&expr.op, expr.width).hash(&mut hash));
    for memory in &module.memories {
        (memory.depth, memory.width, memory.domain, memory.crossing).hash(&mut hash);
    }
    for child in &module.instances {
        (&child.inputs, &child.domains).hash(&mut hash);
    }
    for port in &module.writes {
        (port.memory, port.enable, port.address, port.data, port.mask).hash(&mut hash);
    }
    for probe in &module.probes {
        let statistic = probe.statistic.map(|statistic| (statistic.block, statistic.name));
        (statistic, probe.kind, probe.enable, probe.value, probe.domain).hash(&mut hash);
    }
    module.assertions.iter().for_each(|claim| (claim.condition, claim.domain).hash(&mut hash));
    let number = hash.finish();
    known.insert(module.key(), number);
    number
}

/// What the host, the DRAM devices and an ideal network go by, and how fast the clocks are.
fn behavioural(chip: &Chip) -> String {
    let mut text = String::new();
    let mut put = |thing: &dyn Debug| write!(text, "{thing:?};").expect("a string takes everything");
    let config = chip.config();
    // Where DRAM has no timing, addresses have a controller and no more; where there is one controller, it has them
    // all.
    let map = chip.map();
    let dram = (!chip.is_perfect()).then(|| (map.bank_bits(), map.row_bits(), map.column_bits()));
    let chunk = (map.controller_nodes().len() > 1).then(|| map.chunk_bits());
    let map = (map.controller_nodes(), chunk, map.line_bytes(), dram);
    put(&(chip.is_ideal(), chip.is_perfect(), chip.core_nodes(), map, frequencies(chip), config.clocks.domains()));
    put(&config.clocks.megahertz());
    let (network, core) = (&config.network, &config.core);
    if chip.is_ideal() && !chip.is_perfect() {
        let width = if network.ideal_flits > 0 { network.channel_bytes } else { 0 };
        put(&(network.ideal_bytes, network.ideal_flits, network.ideal_latency, width));
    }
    if !chip.is_perfect() {
        let t = config.memory.timing;
        put(&(t.t_cl, t.t_rp, t.t_rc, t.t_ras, t.t_rcd, t.t_rrd, t.burst, t.write_delay()));
        put(&(
            t.column_to_column(),
            t.read_to_write(),
            t.write_to_read(),
            t.read_to_precharge(),
            t.write_to_precharge(),
        ));
        put(&(t.latency() + config.memory.min_latency, chip.partition().coming_entries()));
    }
    // As many blocks as there are registers for: at most all warps have their own.
    let of_all_warps = 32 * core.warps * core.registers;
    let file = if core.register_file == 0 { of_all_warps } else { core.register_file.min(of_all_warps) };
    put(&(core.warps, core.blocks, core.shared_bytes, file, chip.target(), core.atomics, core.barriers));
    put(&(chip.dispatcher(), (config.cache.instruction.bytes == 0).then_some(core.program_words)));
    text
}
