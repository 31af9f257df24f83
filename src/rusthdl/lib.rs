//! Plain rust-hdl blocks as [`Module`]s. The other way round, a module in a rust-hdl design, is the package `embed`.
//!
//! [`import`] takes a `#[derive(LogicBlock)]` struct (rust-hdl's own widgets among them) and returns the module that
//! describes the same hardware, to be instantiated, simulated and exported like any other:
//!
//! block → [`mod@walk`] (a rust-hdl `Probe`: scopes, atoms, enums, code) → [`steps`] (the AST of `update`: loops
//! unrolled, links and macros as assignments, names resolved) → [`convert`] and [`expr`] (a [`Builder`] per scope) →
//! `Module`. State comes from blocks that rust-hdl describes by custom Verilog (flip-flops, RAMs, ROMs): [`custom`]
//! reads that text.
//!
//! What changes on the way:
//! * rust-hdl has explicit clocks; a module has one implicit clock. Clock ports vanish. Two clocks at the top are a problem.
//! * rust-hdl has initial values and no reset; a module has a synchronous reset. A flip-flop becomes a register that is reset
//!   to its initial value, so both agree from reset on. RAMs keep their content through reset.
//! * `$` in a name (of `child$port`, `array$0`) becomes `_`; what is called `clock` or `reset` without being the clock
//!   gets `_` appended, a child that is called like one of its own signals `_block`.
//! * Reading an output or local signal in `update` gives the value assigned so far, as in rust-hdl.
//! * Equal scopes below one import become one module, called after the field that holds it first and a hash of its content.
//! * The AST does not tell a number (`usize`) from bits: in an index or slice offset, adding a literal does not wrap around.
//! * rust-hdl's simulator takes shift amounts modulo 64; the module shifts everything out, as rust-hdl's Verilog does.
//!
//! Black boxes, wrapped Verilog, in-out signals, unknown custom Verilog and the like become [`Problem`](hdl::Problem)s,
//! which elaboration reports with the path.

#![forbid(unsafe_code)]

mod convert;
mod custom;
mod expr;
mod literal;
mod steps;
mod walk;

use convert::Convert;
use custom::Custom;
use hdl::{Bits, Builder, Module, ProblemKind, Source, params};
use rust_hdl::prelude::{Block, Verilog};
use std::collections::{BTreeSet, HashMap};
use walk::{LogicScope, walk};
use xxhash_rust::xxh3::xxh3_64;

/// The module that describes the same hardware as a rust-hdl block; see the [module documentation](self).
///
/// `name` is the module's name: choose one that tells blocks of different generic parameters apart (`fifo_w8_d16`). Mistakes
/// are kept in the module and reported by `netlist::elaborate` at the place of this call.
#[track_caller]
pub fn import<B: Block + ?Sized>(block: &B, name: &str) -> Module {
    let scopes = walk(block);
    Source::here().pinned(|| {
        let [top] = scopes.as_slice() else {
            let m = Builder::new(name, params! {});
            let message = format!("`{name}`: a rust-hdl block is a struct with #[derive(LogicBlock)]");
            m.problem(ProblemKind::Illegal, message, &[]);
            return m.finish();
        };
        let clocks: Vec<_> = top.atoms.iter().filter(|a| a.clock && a.is_input()).map(|a| a.name.as_str()).collect();
        let mut extra = vec![];
        if clocks.len() > 1 {
            extra.push(format!("`{name}` has the clocks {}: only one clock can be imported", clocks.join(", ")));
        }
        Importer::default().module(top, name, extra)
    })
}

/// Modules of one import by content.
#[derive(Default)]
struct Importer {
    done: HashMap<String, Module>,
}

impl Importer {
    fn child(&mut self, scope: &LogicScope) -> Module {
        let content = scope.content();
        if let Some(module) = self.done.get(&content) {
            return module.clone();
        }
        let field = scope.name.split('$').next().unwrap_or_default();
        let module = self.module(scope, &format!("{field}_{:08x}", xxh3_64(content.as_bytes()) as u32), vec![]);
        self.done.insert(content, module.clone());
        module
    }

    fn module(&mut self, scope: &LogicScope, name: &str, problems: Vec<String>) -> Module {
        let m = Builder::new(name, params! {});
        m.doc("Described as a rust-hdl block.");
        problems.into_iter().for_each(|message| m.problem(ProblemKind::Illegal, message, &[]));
        let unusable = scope.atoms.iter().filter(|a| a.is_in_out() || a.width == 0);
        let unusable: Vec<_> = unusable
            .map(|a| match a.is_in_out() {
                true => format!("in-out signal `{}`", a.name),
                false => format!("signal `{}` of no bits", a.name),
            })
            .collect();
        if !unusable.is_empty() {
            refuse(&m, name, &unusable.join(", "));
            hollow(&m, scope);
            return m.finish();
        }
        match &scope.code {
            Verilog::Combinatorial(code) => {
                let children: Vec<_> = scope.children.iter().map(|child| ChildScope::of(child, self)).collect();
                Convert::new(&m, name, scope, &children).run(code);
            }
            Verilog::Custom(text) => match Custom::parse(text) {
                Ok(custom) => custom.build(&m, name, scope),
                Err(reason) => {
                    refuse(&m, name, &format!("custom Verilog ({reason}): {}", excerpt(text)));
                    hollow(&m, scope);
                }
            },
            other => {
                let what = match other {
                    Verilog::Blackbox(b) => format!("a black box: {}", excerpt(&b.code)),
                    Verilog::Wrapper(w) => format!("wrapped Verilog: {}", excerpt(&w.code)),
                    _ => "a block without hardware description (its `hdl()` is empty: no #[hdl_gen])".into(),
                };
                refuse(&m, name, &what);
                hollow(&m, scope);
            }
        }
        m.finish()
    }
}

/// What a child scope becomes in its parent.
enum ChildScope<'s> {
    /// An instance of a module.
    Instance(&'s LogicScope, Module),
    /// A register of the parent: a lone flip-flop.
    Flop(&'s LogicScope, custom::Flop),
}

impl<'s> ChildScope<'s> {
    fn of(scope: &'s LogicScope, importer: &mut Importer) -> Self {
        if let Verilog::Custom(text) = &scope.code
            && let Some(flop) = Custom::parse(text).ok().and_then(|custom| custom.flop(scope))
        {
            return ChildScope::Flop(scope, flop);
        }
        ChildScope::Instance(scope, importer.child(scope))
    }

    fn scope(&self) -> &'s LogicScope {
        match self {
            ChildScope::Instance(scope, _) | ChildScope::Flop(scope, _) => scope,
        }
    }
}

#[track_caller]
fn refuse(m: &Builder, name: &str, what: &str) {
    m.problem(ProblemKind::Illegal, format!("rust-hdl block `{name}` cannot be imported: it has {what}"), &[]);
}

/// Ports only, outputs zero: keeps one refused block from causing more messages.
fn hollow(m: &Builder, scope: &LogicScope) {
    for atom in scope.atoms.iter().filter(|a| !a.clock && a.width > 0) {
        if atom.is_input() {
            m.input(identifier(&atom.name), atom.width);
        } else if atom.is_output() {
            m.output_of(identifier(&atom.name), Bits::zero(atom.width).signal(m));
        }
    }
}

/// The first words of a text, on one line.
fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(120) {
        Some((at, _)) => format!("{} ...", &line[..at]),
        None => line,
    }
}

/// A rust-hdl name as an identifier of ours.
fn identifier(name: &str) -> String {
    let plain = name.replace('$', "_");
    if matches!(plain.as_str(), "clock" | "reset") { plain + "_" } else { plain }
}

/// Identifiers of one module, made unique.
#[derive(Default)]
struct UniqueNames(BTreeSet<String>);

impl UniqueNames {
    fn claim(&mut self, name: &str) -> String {
        let mut own = identifier(name);
        while !self.0.insert(own.clone()) {
            own.push('_');
        }
        own
    }
}
