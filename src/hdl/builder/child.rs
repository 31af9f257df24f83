//! Connecting a child block.

use super::Builder;
use crate::{
    def::*,
    ids::InstanceId,
    layout::{Field, PortGroup},
    names::PortName,
    signal::{Operand, Signal},
};

/// A child of the block under construction.
#[derive(Clone, Copy)]
pub struct Child<'m> {
    pub(super) builder: &'m Builder,
    pub(super) id: InstanceId,
}

impl<'m> Child<'m> {
    /// The block that it is placed in.
    pub fn builder(self) -> &'m Builder {
        self.builder
    }

    /// What it is an instance of.
    pub fn module(self) -> Module {
        self.builder.state.borrow().def.instances[self.id.index()].module.clone()
    }

    /// The child has an input `port`.
    pub fn has_input(self, port: impl PortName) -> bool {
        let port = port.text();
        let state = self.builder.state.borrow();
        let child = &state.def.instances[self.id.index()].module;
        child.inputs.iter().any(|&n| child.net(n).name == port)
    }

    /// The child has an output `port`.
    pub fn has_output(self, port: impl PortName) -> bool {
        let port = port.text();
        let state = self.builder.state.borrow();
        let child = &state.def.instances[self.id.index()].module;
        child.outputs.iter().any(|&n| child.net(n).name == port)
    }

    /// Drives input `port` of the child.
    #[track_caller]
    pub fn drive(self, port: impl PortName, value: impl Operand<'m>) {
        let port = port.text();
        let m = self.builder;
        let found = {
            let state = m.state.borrow();
            let child = &state.def.instances[self.id.index()].module;
            child.inputs.iter().position(|&n| child.net(n).name == port).map(|i| {
                let net = child.net(child.inputs[i]);
                (i, net.width, net.source)
            })
        };
        let Some((index, width, declared)) = found else {
            return self.no_such(&port, "input");
        };
        let value = m.own(value.signal(m, width));
        if value.width != width {
            let message = format!("input `{port}` has {width} bits, the value `{}` has {}", m.show(value), value.width);
            return m.problem(ProblemKind::WidthMismatch, message, &[declared]);
        }
        let earlier = m.state.borrow_mut().def.instances[self.id.index()].inputs[index].replace(value.id);
        if let Some(earlier) = earlier {
            let source = m.state.borrow().def.expr(earlier).source;
            m.problem(ProblemKind::MultiplyDriven, format!("input `{port}` is driven twice"), &[source]);
        }
    }

    /// Output `port` of the child.
    #[track_caller]
    pub fn get(self, port: impl PortName) -> Signal<'m> {
        let port = port.text();
        let m = self.builder;
        let net = {
            let state = m.state.borrow();
            let instance = &state.def.instances[self.id.index()];
            let child = &instance.module;
            child.outputs.iter().position(|&n| child.net(n).name == port).map(|i| instance.outputs[i])
        };
        match net {
            Some(net) => m.read(net),
            None => {
                self.no_such(&port, "output");
                m.lit(1, 0)
            }
        }
    }

    /// All its ports that the block does not have become ports of the block, under the same names; bundles of them stay
    /// bundles. What a block around another one does that changes some of its ports alone.
    #[track_caller]
    pub fn pass_on(self) {
        let (m, module) = (self.builder, self.module());
        let own = |inputs: bool, name: &str| {
            let def = &m.state.borrow().def;
            let ports = if inputs { &def.inputs } else { &def.outputs };
            ports.iter().map(|&port| def.net(port)).find(|port| port.name == name).map(|port| port.width)
        };
        for net in module.inputs.iter().map(|&net| module.net(net)) {
            if own(true, &net.name).is_none() {
                self.drive(&net.name, m.input_about(&net.name, net.width, net.about));
            }
        }
        for net in module.outputs.iter().map(|&net| module.net(net)) {
            if own(false, &net.name).is_none() {
                m.assign(m.output_about(&net.name, net.width, net.about), self.get(&net.name));
            }
        }
        for group in &module.groups {
            let is_same = |g: &PortGroup| (g.inputs, &g.name, g.bundle) == (group.inputs, &group.name, group.bundle);
            let known = m.state.borrow().def.groups.iter().any(is_same);
            let width = |field: &Field| own(group.inputs, &(&group.name, field.name).text());
            if !known && group.fields.iter().all(|field| width(field).is_some()) {
                let with_width = |field: &Field| Field { width: width(field).unwrap_or(field.width), ..*field };
                m.add_group(PortGroup { fields: group.fields.iter().map(with_width).collect(), ..group.clone() });
            }
        }
    }

    #[track_caller]
    fn no_such(self, port: &str, direction: &str) {
        let message = {
            let state = self.builder.state.borrow();
            let child = &state.def.instances[self.id.index()].module;
            let ports = if direction == "input" { &child.inputs } else { &child.outputs };
            let names: Vec<_> = ports.iter().map(|&n| child.net(n).name.as_str()).collect();
            format!("`{}` has no {direction} `{port}`; it has {}", child.name, names.join(", "))
        };
        self.builder.problem(ProblemKind::Name, message, &[]);
    }
}
