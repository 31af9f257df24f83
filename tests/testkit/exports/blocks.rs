//! Random blocks: those of the registry with random parameters, and what no chip has in it.

use super::{chips, draw::Draw};
use warpmesh::{
    blocks::*,
    chip::Chip,
    hdl::{Builder, Module},
    noc::{
        FlitFormat, NetworkParams, VcDepths,
        flit_buffer::{FlitBufferParams, flit_buffer},
        traffic::{TrafficParams, traffic_mesh},
    },
    open_loop::{OpenLoopParams, Pattern, Traffic, open_loop, traffic::memory},
    registry::{BlockKind, blocks},
};

/// A kind of block.
type BlocksKind = (&'static str, fn(&mut Draw) -> Module);

/// Kinds that are not in the registry, or have more there than it says.
const OTHERS: [BlocksKind; 4] =
    [("two_clocks", two_clocks), ("routed_flit_buffer", buffer), ("traffic_mesh", mesh), ("open_loop", alone)];

/// Of the registry: the others have a testbench, which shows the one block that they are to the tools.
fn with_parameters() -> Vec<&'static BlockKind> {
    blocks().into_iter().filter(|block| !block.parameters.is_empty()).collect()
}

/// So many kinds there are; a seed has the one at its remainder.
pub fn kinds() -> usize {
    with_parameters().len() + OTHERS.len()
}

/// The block of `seed`, and what it is.
pub fn block(seed: u64) -> (String, Module) {
    let (registry, draw) = (with_parameters(), &mut Draw::new(seed));
    let at = (seed % kinds() as u64) as usize;
    let (kind, top) = match registry.get(at) {
        Some(block) => (block.name, registered(block, draw)),
        None => {
            let (kind, make) = OTHERS[at - registry.len()];
            (kind, make(draw))
        }
    };
    (format!("block of kind {kind}: {}", top.name), top)
}

/// With parameters from all of their ranges, but not so large that tools take minutes; drawn until they go together.
fn registered(block: &BlockKind, draw: &mut Draw) -> Module {
    loop {
        let value = |draw: &mut Draw, (name, range, names): (&str, Option<(u32, u32)>, usize)| match range {
            Some((low, high)) => draw.range(low, high.min(if name == "width" { 300 } else { 33 }).max(low)),
            None => draw.uniform(0, names as u32 - 1),
        };
        let values: Vec<u32> = (block.parameters.iter())
            .map(|p| (p, value(draw, (p.name, p.range.map(|range| range.ends()), p.names().len()))))
            .map(|(p, value)| match p.range {
                // The next smaller one where only powers of two are legal; the least is one.
                Some(range) if !range.has(value) => 1 << value.ilog2(),
                _ => value,
            })
            .collect();
        if let Ok(module) = block.build(&values) {
            return module;
        }
    }
}

fn crossing(draw: &mut Draw) -> CrossingParams {
    CrossingParams { stages: draw.uniform(2, 4), ..CrossingParams::new(draw.power(2, 64) as usize, draw.range(1, 300)) }
}

/// A queue between two clocks, and registers on both sides.
fn two_clocks(draw: &mut Draw) -> Module {
    let params = crossing(draw);
    let m = Builder::new("two_clocks", warpmesh::hdl::params! { depth: params.depth, width: params.width });
    let other = m.domain("other");
    let queue = cross(&m, "queue", m.clock(), other, params);
    queue.push(m.delayed("push_earlier", m.input("push", 1)));
    queue.push_data(m.delayed("data_earlier", m.input("data", params.width)));
    m.output_of("full", queue.full());
    m.in_domain(other, || {
        queue.pop(m.delayed("pop_earlier", m.input("pop", 1)));
        m.output_of("valid", m.delayed("valid_earlier", queue.valid()));
        m.output_of("word", m.delayed("word_earlier", queue.data()));
    });
    m.finish()
}

fn buffer(draw: &mut Draw) -> Module {
    let (vcs, depth) = (draw.range(1, 16), draw.range(1, 64) as usize);
    let above = if draw.chance(0.3) { draw.range(1, 64) as usize } else { depth };
    let depths = VcDepths { below: depth, from: draw.range(0, vcs), above };
    let route = if draw.chance(0.5) { draw.range(1, 8) } else { 0 };
    let behind = route > 0 && draw.chance(0.5);
    flit_buffer(FlitBufferParams { vcs, depths, carried: draw.range(1, 16), width: draw.range(8, 512), route, behind })
}

/// Traffic as hardware.
fn mesh(draw: &mut Draw) -> Module {
    let (columns, rows) = (draw.uniform(2, 3), draw.uniform(1, 3));
    let format = FlitFormat::new(draw.power(1, 4), 40, columns * rows, 8);
    let network = NetworkParams::new(format, draw.range(1, 32) as usize, 1);
    let params = TrafficParams { columns, rows, network, flits: draw.range(1, 64), queue: draw.range(1, 1024) };
    traffic_mesh(&params).unwrap_or_else(|e| panic!("{params:?}: {e}"))
}

/// The network of a random chip, as it is measured.
fn alone(draw: &mut Draw) -> Module {
    let config = chips::config(draw.uniform(0, u32::MAX).into());
    let chip = Chip::new(&config).expect("drawn so that it is legal");
    let pattern = Pattern::ManyToFew;
    let traffic = Traffic {
        pattern,
        hot_share: 0.2,
        transactions: memory(0.7, draw.uniform(1, 8)),
        service: 0,
        matrix: None,
        burst: None,
    };
    let params = OpenLoopParams::new(chip.fabric().params(), &traffic);
    params.and_then(|params| Ok(open_loop(&params)?)).unwrap_or_else(|e| panic!("{config:?}: {e}"))
}
