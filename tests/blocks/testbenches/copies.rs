//! Copies of a block as tiles, each with a stimulus of its own: what engines make of equal tiles.
//!
//! ```text
//!           ┌ tile ─────────────────────────────┐
//!  c0_in ──▶│ block ──▶ a register per output   │──▶ c0_out: a cycle later
//!           └───────────────────────────────────┘
//!  c1_in ──▶ ...
//! ```

use warpmesh::{
    hdl::{Bits, Builder, ClockDomain, DomainId, Module, NetId, params},
    netlist::{Design, elaborate},
    sim::{Clocks, Options, Simulator},
    verilog::lockstep::Recording,
};

/// Copies of a block.
pub struct Copies {
    design: Design,
    /// Per output of the block, the domain whose register shows it.
    domains: Vec<DomainId>,
    count: usize,
}

impl Copies {
    pub fn new(block: &Module, count: usize) -> Self {
        let used: Vec<_> = (0..block.domains.len()).filter(|&i| block.domains[i].used).collect();
        let mut domains = vec![];
        for output in 0..block.outputs.len() {
            // What a block does not tell, elaboration knows: which clocks may sample an output.
            let allowed = |&&domain: &&usize| elaborate(&around(block, &[(output, domain)])).is_ok();
            let found = match used[..] {
                [] => DomainId::DEFAULT.index(),
                [only] => only,
                _ => *used.iter().find(allowed).expect("one clock may"),
            };
            domains.push(DomainId(found as u32));
        }
        let shown: Vec<_> = domains.iter().map(|domain| domain.index()).enumerate().collect();
        let tile = around(block, &shown);
        let m = Builder::new("copies", params! { block: block.name, count });
        let own = same_domains(&m, block);
        for copy in 0..count {
            let instance = m.tile(format!("copy{copy}"), &tile);
            block.domains.iter().zip(&own).skip(1).for_each(|(domain, &own)| instance.clocked(&domain.name, own));
            for &port in &tile.inputs {
                let net = tile.net(port);
                instance.drive(&net.name, m.input(format!("c{copy}_{}", net.name), net.width));
            }
            for &port in &tile.outputs {
                let name = &tile.net(port).name;
                m.output_of(format!("c{copy}_{name}"), instance.get(name));
            }
        }
        let design = elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"));
        Self { design, domains, count }
    }

    /// Every copy gets the inputs of a recording and must give its outputs, as the registers show them.
    pub fn check(&self, recordings: &[Recording], options: &Options, clocks: &Clocks) {
        let about = format!("{} on {}, passes {}", self.design.top.name, options.engine, options.passes);
        let mut sim = Simulator::with_clocks(&self.design, options, clocks).unwrap_or_else(|e| panic!("{about}: {e}"));
        let pins: Vec<_> = recordings
            .iter()
            .enumerate()
            .map(|(copy, recording)| {
                let input = |port: &str| sim.input(&format!("c{copy}_{port}")).unwrap_or_else(|e| panic!("{e}"));
                let output = |port: &str| sim.output(&format!("c{copy}_{port}")).unwrap_or_else(|e| panic!("{e}"));
                let inputs: Vec<_> = recording.inputs.list.iter().map(|port| input(&port.name)).collect();
                let outputs: Vec<_> = recording.outputs.list.iter().map(|port| output(&port.name)).collect();
                (inputs, outputs)
            })
            .collect();
        assert_eq!(pins.len(), self.count);
        let mut shown: Vec<Vec<Bits>> =
            recordings.iter().map(|r| r.outputs.list.iter().map(|port| Bits::zero(port.width)).collect()).collect();
        for row in 0..recordings[0].rows.len() {
            for ((recording, (inputs, outputs)), shown) in recordings.iter().zip(&pins).zip(&shown) {
                let row = &recording.rows[row];
                inputs.iter().enumerate().for_each(|(i, &pin)| sim.poke_bits_at(pin, &row.inputs.at(i)));
                for ((&pin, port), shown) in outputs.iter().zip(&recording.outputs.list).zip(shown) {
                    assert_eq!(&sim.peek_bits_at(pin), shown, "{about}: {}", port.name);
                }
            }
            let edges = recordings[0].rows[row].edges;
            for (recording, shown) in recordings.iter().zip(&mut shown) {
                for (i, shown) in shown.iter_mut().enumerate().filter(|(i, _)| edges.has(self.domains[*i].index())) {
                    *shown = recording.rows[row].outputs.at(i);
                }
            }
            match recordings[0].rows[row].reset {
                true => sim.reset_step(),
                false => sim.step().unwrap_or_else(|e| panic!("{about}: {e}")),
            }
        }
    }
}

/// The domains of `block`, declared again.
fn same_domains<'m>(m: &'m Builder, block: &Module) -> Vec<ClockDomain<'m>> {
    let others = block.domains[1..].iter().map(|domain| m.domain(&domain.name));
    [m.clock()].into_iter().chain(others).collect()
}

/// The block with registers behind some outputs: output and domain.
fn around(block: &Module, shown: &[(usize, usize)]) -> Module {
    let m = Builder::new("around", params! { block: block.name });
    let own = same_domains(&m, block);
    let instance = m.instance("block", block);
    block.domains.iter().zip(&own).skip(1).for_each(|(domain, &own)| instance.clocked(&domain.name, own));
    let net = |port: NetId| block.net(port);
    for &port in &block.inputs {
        instance.drive(&net(port).name, m.input(&net(port).name, net(port).width));
    }
    for &(output, domain) in shown {
        let net = net(block.outputs[output]);
        let register = m.in_domain(own[domain], || {
            let register = m.register_payload(format!("shown_{}", net.name), net.width);
            m.set(register, instance.get(&net.name));
            register
        });
        m.output_of(&net.name, register);
    }
    m.finish()
}
