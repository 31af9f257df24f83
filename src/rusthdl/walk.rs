//! A rust-hdl block as a tree of scopes.

use crate::literal::Literal;
use rust_hdl::prelude::{Atom, AtomKind, Block, Probe, TypeDescriptor, TypeKind, Verilog, clog2};
use std::collections::BTreeMap;

/// One `LogicBlock`.
pub(super) struct LogicScope {
    /// Field that holds it (`dffs$3` in an array); empty for the top.
    pub name: String,
    /// Signals and constants, in order of the fields; those of an interface are called `interface$signal`.
    pub atoms: Vec<AtomInfo>,
    /// `Type$Variant` to (value, width), of this scope's and its children's signals.
    pub enums: BTreeMap<String, (u64, u32)>,
    /// What `hdl()` says.
    pub code: Verilog,
    /// Blocks inside.
    pub children: Vec<LogicScope>,
}

/// A signal or constant.
pub(super) struct AtomInfo {
    pub name: String,
    pub kind: AtomKind,
    pub width: u32,
    pub signed: bool,
    /// Of type `Clock`.
    pub clock: bool,
    /// Present value.
    pub value: Option<Literal>,
}

impl AtomInfo {
    pub fn is_input(&self) -> bool {
        self.kind == AtomKind::InputParameter
    }

    pub fn is_output(&self) -> bool {
        matches!(self.kind, AtomKind::OutputParameter | AtomKind::OutputPassthrough)
    }

    pub fn is_in_out(&self) -> bool {
        self.kind == AtomKind::InOutParameter
    }
}

impl LogicScope {
    /// Everything that makes the hardware, in one string.
    pub fn content(&self) -> String {
        let mut out = format!("{:?}", self.code);
        for a in &self.atoms {
            let value = a.value.as_ref().filter(|_| a.kind == AtomKind::Constant);
            out += &format!(";{}:{:?}:{}:{}:{}:{value:?}", a.name, a.kind, a.width, a.signed, a.clock);
        }
        out += &format!("{:?}", self.enums);
        for child in &self.children {
            out += &format!("{{{}={}}}", child.name, child.content());
        }
        out
    }

    /// The signal `name`.
    pub fn atom(&self, name: &str) -> Option<&AtomInfo> {
        self.atoms.iter().find(|a| a.name == name)
    }
}

/// The scopes that the block itself opens: one for a struct, several for an array.
pub(super) fn walk<B: Block + ?Sized>(block: &B) -> Vec<LogicScope> {
    let mut walk = Walk::default();
    block.accept("", &mut walk);
    walk.finished
}

#[derive(Default)]
struct Walk {
    open: Vec<(LogicScope, Vec<String>)>,
    finished: Vec<LogicScope>,
}

impl Walk {
    /// `name` with the interfaces around it.
    fn qualified(&self, name: &str) -> String {
        let interfaces = self.open.last().map_or(&[][..], |(_, names)| names);
        interfaces.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("$")
    }
}

impl Probe for Walk {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let name = self.qualified(name);
        let scope = LogicScope { name, atoms: vec![], enums: BTreeMap::new(), code: node.hdl(), children: vec![] };
        self.open.push((scope, vec![]));
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        if let Some((_, interfaces)) = self.open.last_mut() {
            interfaces.push(name.into());
        }
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let name = self.qualified(name);
        let descriptor = signal.descriptor();
        for (scope, _) in self.open.iter_mut().rev().take(2) {
            add_enums(&descriptor, &mut scope.enums);
        }
        let Some((scope, _)) = self.open.last_mut() else { return };
        scope.atoms.push(AtomInfo {
            name,
            kind: signal.kind(),
            width: signal.bits() as u32,
            signed: matches!(descriptor.kind, TypeKind::Signed(_)),
            clock: descriptor.name == "clock",
            value: Literal::of(&signal.verilog()),
        });
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        if let Some((_, interfaces)) = self.open.last_mut() {
            interfaces.pop();
        }
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        let Some((scope, _)) = self.open.pop() else { return };
        match self.open.last_mut() {
            Some((parent, _)) => parent.children.push(scope),
            None => self.finished.push(scope),
        }
    }
}

fn add_enums(descriptor: &TypeDescriptor, enums: &mut BTreeMap<String, (u64, u32)>) {
    match &descriptor.kind {
        TypeKind::Enum(labels) => {
            let width = clog2(labels.len()) as u32;
            for (value, label) in labels.iter().enumerate() {
                enums.insert(label.replace("::", "$"), (value as u64, width));
            }
        }
        TypeKind::Composite(fields) => fields.iter().for_each(|field| add_enums(&field.kind, enums)),
        TypeKind::Bits(_) | TypeKind::Signed(_) => {}
    }
}
