//! A top module with the outputs of its tiles brought out.

use super::{
    def::*,
    ids::{ExprId, NetId},
    share,
};

impl Module {
    /// The same module with every output of every tile as an output port of its own, called as the net that carries it, with
    /// `observed_` before it. For comparing simulations at all tile boundaries.
    pub fn observed(&self) -> Module {
        let mut def = ModuleDef::clone(&self.0);
        def.name.push_str("_observed");
        def.kind.push_str("_observed");
        let carried: Vec<NetId> = def.instances.iter().filter(|i| i.tile).flat_map(|i| i.outputs.clone()).collect();
        for carrier in carried {
            let Net { name, width, domain, about, source, .. } = def.net(carrier).clone();
            let port = NetId(def.nets.len() as u32);
            let (name, kind) = (format!("observed_{name}"), NetKind::Output);
            def.nets.push(Net { name, width, kind, domain, about, source });
            def.outputs.push(port);
            let read = |e: &Expr| e.op == Op::Net(carrier);
            let value = def.exprs.iter().position(read).unwrap_or_else(|| {
                def.exprs.push(Expr { op: Op::Net(carrier), width, source });
                def.exprs.len() - 1
            });
            let value = ExprId(value as u32);
            def.drivers.push(Some(value));
            def.body.push(Stmt::Assign { target: Target { net: port, lo: 0, width }, value, source });
        }
        share::intern(def)
    }
}
