//! Which nets are payload: wide words that are only moved.
//!
//! A payload net is a register without reset, a port or a wire whose value comes through multiplexers from payload
//! nets, memory words and constants, and goes nowhere else than into such multiplexers and memories. It never becomes
//! bits: its registers are words, copied where their enables say so. Every net of enough width starts as payload; what
//! a rule contradicts is taken out until nothing changes, so the result is the largest set that satisfies the rules.

use crate::sliced::bundles::Bundles;
use hdl::*;
use netlist::Design;

/// Narrower words are moved faster as bits.
const WIDTH: u32 = 40;

/// Most sources of one payload register.
const SOURCES: usize = 64;

/// Per bundle and net: payload.
pub(in crate::sliced) struct Payload(Vec<Vec<bool>>);

impl Payload {
    pub fn new(design: &Design, bundles: &Bundles) -> Self {
        let wide = |net: &Net| net.width >= WIDTH && !matches!(net.kind, NetKind::Register { reset: Some(_) });
        let all = |b: &crate::sliced::bundles::Bundle| design.modules[b.module].module.nets.iter().map(wide).collect();
        let mut rules =
            Rules { design, bundles, payload: bundles.bundles.iter().map(all).collect(), changed: true, seen: vec![] };
        while std::mem::take(&mut rules.changed) {
            (0..bundles.bundles.len()).for_each(|b| rules.bundle(b));
        }
        Self(rules.payload)
    }

    pub fn net(&self, bundle: usize, net: NetId) -> bool {
        self.0[bundle][net.index()]
    }

    /// The value of an expression that may be payload is: all its nets are.
    pub fn expr(&self, module: &ModuleDef, bundle: usize, expr: ExprId) -> bool {
        module.expr(expr).width >= WIDTH && leaves(module, expr, &mut |net| self.net(bundle, net)).is_some()
    }
}

/// Number of sources of a tree of multiplexers whose nets satisfy `payload`; `None` when it is something else.
fn leaves(module: &ModuleDef, expr: ExprId, payload: &mut impl FnMut(NetId) -> bool) -> Option<usize> {
    match &module.expr(expr).op {
        Op::Net(net) => payload(*net).then_some(1),
        Op::MemRead { .. } | Op::Const(_) => Some(1),
        Op::Mux { then, otherwise, .. } => {
            let count = leaves(module, *then, payload)? + leaves(module, *otherwise, payload)?;
            (count <= SOURCES).then_some(count)
        }
        _ => None,
    }
}

struct Rules<'a> {
    design: &'a Design,
    bundles: &'a Bundles,
    payload: Vec<Vec<bool>>,
    changed: bool,
    /// Expressions of the present bundle that are needed as bits.
    seen: Vec<bool>,
}

impl Rules<'_> {
    fn demote(&mut self, bundle: usize, net: NetId) {
        if std::mem::replace(&mut self.payload[bundle][net.index()], false) {
            self.changed = true;
        }
    }

    /// All of a value is needed as bits, so no net below it is payload. Operands of other operators are always bits.
    fn bits(&mut self, bundle: usize, module: &ModuleDef, root: ExprId) {
        let mut todo = vec![root];
        while let Some(expr) = todo.pop() {
            if !std::mem::replace(&mut self.seen[expr.index()], true) {
                if let Op::Net(net) = module.expr(expr).op {
                    self.demote(bundle, net);
                }
                module.expr(expr).op.for_each_operand(|operand| todo.push(operand));
            }
        }
    }

    /// Takes a value as payload if it can be; else as bits, and says so.
    fn moved(&mut self, bundle: usize, module: &ModuleDef, expr: ExprId) -> bool {
        let payload = &self.payload[bundle];
        if leaves(module, expr, &mut |net| payload[net.index()]).is_none() {
            self.bits(bundle, module, expr);
            return false;
        }
        self.conditions(bundle, module, expr);
        true
    }

    fn conditions(&mut self, bundle: usize, module: &ModuleDef, expr: ExprId) {
        match module.expr(expr).op {
            Op::Mux { select, then, otherwise } => {
                self.bits(bundle, module, select);
                self.conditions(bundle, module, then);
                self.conditions(bundle, module, otherwise);
            }
            Op::MemRead { address, .. } => self.bits(bundle, module, address),
            _ => {}
        }
    }

    fn bundle(&mut self, b: usize) {
        let (design, bundles) = (self.design, self.bundles);
        let at = &bundles.bundles[b];
        let module = &design.modules[at.module].module;
        self.seen = vec![false; module.exprs.len()];
        for (i, net) in module.nets.iter().enumerate() {
            let id = NetId(i as u32);
            if let NetKind::InstanceOutput { instance, output } = net.kind {
                // Both ends or none.
                for child in &at.children[instance.index()] {
                    let port = design.modules[bundles.bundles[child.bundle].module].module.outputs[output as usize];
                    if !(self.payload[b][i] && self.payload[child.bundle][port.index()]) {
                        self.demote(b, id);
                        self.demote(child.bundle, port);
                    }
                }
            }
            let Some(driver) = module.drivers[i] else { continue };
            if !self.payload[b][i] {
                self.bits(b, module, driver);
            } else if !self.moved(b, module, driver) {
                self.demote(b, id);
            }
        }
        for (instance, variants) in module.instances.iter().zip(&at.children) {
            for (position, value) in instance.inputs.iter().enumerate() {
                let Some(value) = *value else { continue };
                let port = |bundle: usize| design.modules[bundles.bundles[bundle].module].module.inputs[position];
                let wanted = variants.iter().all(|c| self.payload[c.bundle][port(c.bundle).index()]);
                let moved = if wanted {
                    self.moved(b, module, value)
                } else {
                    self.bits(b, module, value);
                    false
                };
                if !moved {
                    variants.iter().for_each(|c| self.demote(c.bundle, port(c.bundle)));
                }
            }
        }
        for write in &module.writes {
            let always = [Some(write.enable), Some(write.address), write.mask];
            always.into_iter().flatten().for_each(|expr| self.bits(b, module, expr));
            if write.mask.is_some() || module.expr(write.data).width < WIDTH {
                self.bits(b, module, write.data);
            } else {
                self.moved(b, module, write.data);
            }
        }
        let probes = module.probes.iter().flat_map(|p| [Some(p.enable), p.value]).flatten();
        let assertions = module.assertions.iter().map(|c| c.condition);
        probes.chain(assertions).for_each(|expr| self.bits(b, module, expr));
    }
}
