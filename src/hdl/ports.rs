//! Ports of a block, declared once: names, directions, widths, which of them exist, what they mean.
//!
//! [`ports!`](crate::ports!) makes two types from a declaration, one for each side of the block's boundary. On both a
//! port is a method called like it: what goes into the method goes the way that the arrow goes in the block's drawing.
//!
//! ```text
//!                 inside the block                     around it
//!                 let io = FifoPorts::new(&m, &p);     let queue = Fifo(m.instance("queue", &fifo(p)));
//!  in push        io.push()   the signal               queue.push(x)     drives it
//!  out valid      io.valid(x) shows x                  queue.valid()     the signal
//! ```
//!
//! So a port that is renamed is a compile error in all parents. A port comes to be where the block calls its method:
//! there it stands in the order of ports. One that is never called, or called twice, is a mistake of the description.
//! Where an output is to be assigned later, it shows [`LATER`].

mod declaration;

use super::{
    builder::{Builder, Child},
    bundle::Bundle,
    def::ProblemKind,
    layout::Field,
    names::PortName,
    signal::{Operand, Signal},
};

/// A port of a declaration, or the ports of a bundle in it.
#[derive(Clone, Debug)]
pub struct DeclaredPort {
    /// Of the port; of a bundle what the names of its ports begin with.
    name: String,
    /// It is driven by the parent.
    input: bool,
    form: Form,
    /// What it means, as the declaration says; in a bundle of those fields of which nothing is said.
    about: &'static str,
    /// The block has it, as far as it is described.
    made: bool,
}

#[derive(Clone, Debug)]
enum Form {
    Bits(u32),
    /// All fields, also those without bits, and the name of the struct.
    Bundle(Vec<Field>, &'static str),
}

impl Form {
    /// Name of its struct, of a bundle: several of them may have one name before their fields, as the empty one.
    fn bundle(&self) -> Option<&'static str> {
        match self {
            Form::Bits(_) => None,
            Form::Bundle(_, bundle) => Some(bundle),
        }
    }
}

impl DeclaredPort {
    /// Of so many bits.
    pub fn bits(input: bool, name: impl PortName, width: u32, about: &'static str) -> Self {
        Self { name: name.text(), input, form: Form::Bits(width), about, made: false }
    }

    /// A bundle.
    pub fn bundle<'m, B: Bundle<'m>>(input: bool, name: impl PortName, p: &B::Params, about: &'static str) -> Self {
        let mut fields = B::fields(p);
        fields.iter_mut().filter(|field| field.about.is_empty()).for_each(|field| field.about = about);
        Self { name: name.text(), input, form: Form::Bundle(fields, B::NAME), about, made: false }
    }
}

/// What is said about a port or a field, without links: of `` [`Hazards`](super::Hazards) as a word `` it is
/// `` `Hazards` as a word ``.
pub fn plain_text(about: &str) -> String {
    let mut text = String::new();
    let mut rest = about.trim();
    while let Some((before, shown, behind)) = first_link(rest) {
        text += before;
        text += &shown;
        rest = behind;
    }
    text + rest
}

/// What is before the first link, what it shows, and what is behind it.
fn first_link(text: &str) -> Option<(&str, String, &str)> {
    let (before, link) = text.split_once('[')?;
    let (shown, behind) = link.split_once(']')?;
    let name = shown.trim_matches('`').rsplit(['@', ':']).next().unwrap_or_default();
    let shown = if shown.starts_with('`') { format!("`{name}`") } else { name.into() };
    Some((before, shown, behind.strip_prefix('(').and_then(|target| Some(target.split_once(')')?.1)).unwrap_or(behind)))
}

/// What an output shows: a value, or what it is [assigned later](LATER).
pub trait Shown<'m>: Copy {
    /// The value, if it is known.
    fn value(self, m: &'m Builder, width: u32) -> Option<Signal<'m>>;
}

impl<'m, T: Operand<'m>> Shown<'m> for T {
    #[track_caller]
    fn value(self, m: &'m Builder, width: u32) -> Option<Signal<'m>> {
        Some(self.signal(m, width))
    }
}

/// The output is assigned later.
#[derive(Clone, Copy, Debug)]
pub struct Later;

/// Shown by an output that is [assigned](Builder::assign) later: `let valid = io.valid(LATER);`.
pub const LATER: Later = Later;

impl<'m> Shown<'m> for Later {
    fn value(self, _: &'m Builder, _: u32) -> Option<Signal<'m>> {
        None
    }
}

/// For [`ports!`](crate::ports!).
impl Builder {
    /// The block has these ports, each from where it is made.
    pub fn declare_ports(&self, ports: Vec<DeclaredPort>) {
        self.state.borrow_mut().declared.extend(ports);
    }

    /// Makes a declared input.
    #[track_caller]
    pub fn declared_input(&self, name: impl PortName) -> Signal<'_> {
        let name = name.text();
        let (width, about) = self.make_bits(&name, true);
        self.input_about(name, width, about)
    }

    /// Makes a declared input, if there is one under these parameters.
    #[track_caller]
    pub fn declared_optional_input(&self, name: impl PortName) -> Option<Signal<'_>> {
        let name = name.text();
        self.has_declared(&name, true, None).then(|| self.declared_input(name))
    }

    /// Makes a declared output; returns the port.
    #[track_caller]
    pub fn declared_output<'m>(&'m self, name: impl PortName, value: impl Shown<'m>) -> Signal<'m> {
        let name = name.text();
        let (width, about) = self.make_bits(&name, false);
        let value = value.value(self, width);
        let port = self.output_about(name, width, about);
        if let Some(value) = value {
            self.assign(port, value);
        }
        port
    }

    /// Makes the inputs of a declared bundle.
    #[track_caller]
    pub fn declared_inputs<'m, B: Bundle<'m>>(&'m self, name: impl PortName) -> B {
        let name = name.text();
        let fields = self.make_bundle::<B>(&name, true);
        B::ports(self, &name, fields, true)
    }

    /// Makes the inputs of a declared bundle, if there is one under these parameters.
    #[track_caller]
    pub fn declared_optional_inputs<'m, B: Bundle<'m>>(&'m self, name: impl PortName) -> Option<B> {
        let name = name.text();
        self.has_declared(&name, true, Some(B::NAME)).then(|| self.declared_inputs(name))
    }

    /// Makes the outputs of a declared bundle; returns the ports.
    #[track_caller]
    pub fn declared_outputs<'m, B: Bundle<'m>>(&'m self, name: impl PortName, value: Option<B>) -> B {
        let name = name.text();
        let fields = self.make_bundle::<B>(&name, false);
        match value {
            Some(value) => value.show(self, &name, fields),
            None => B::ports(self, &name, fields, false),
        }
    }

    fn has_declared(&self, name: &str, input: bool, bundle: Option<&str>) -> bool {
        self.state.borrow().declared.iter().any(|port| port.is(name, input, bundle))
    }

    /// The form of a declared port, which is made now, and what it means.
    #[track_caller]
    fn make(&self, name: &str, input: bool, bundle: Option<&str>) -> Option<(Form, &'static str)> {
        let mut state = self.state.borrow_mut();
        let found = state.declared.iter_mut().find(|port| port.is(name, input, bundle));
        let form = found.map(|port| {
            port.made = true;
            (port.form.clone(), port.about)
        });
        drop(state);
        if form.is_none() {
            let message =
                format!("port `{name}` does not exist with these parameters: its `maybe` or its row leaves it out");
            self.problem(ProblemKind::Name, message, &[]);
        }
        form
    }

    #[track_caller]
    fn make_bits(&self, name: &str, input: bool) -> (u32, &'static str) {
        match self.make(name, input, None) {
            Some((Form::Bits(width), about)) => (width, about),
            _ => (1, ""),
        }
    }

    #[track_caller]
    fn make_bundle<'m, B: Bundle<'m>>(&self, name: &str, input: bool) -> Vec<Field> {
        match self.make(name, input, Some(B::NAME)) {
            Some((Form::Bundle(fields, _), _)) => fields,
            _ => B::names().into_iter().map(|(name, values)| Field { name, width: 1, values, about: "" }).collect(),
        }
    }

    /// Ports that are declared and that the block does not have.
    pub(super) fn check_declared(&self) {
        let declared = std::mem::take(&mut self.state.borrow_mut().declared);
        for port in declared.iter().filter(|port| !port.made && !port.is_empty()) {
            let direction = if port.input { "input" } else { "output" };
            let message = format!("{direction} `{}` is declared, and the block does not make it", port.name);
            self.problem(ProblemKind::Undriven, message, &[]);
        }
    }
}

impl DeclaredPort {
    fn is(&self, name: &str, input: bool, bundle: Option<&str>) -> bool {
        self.name == name && self.input == input && self.form.bundle() == bundle
    }

    fn is_empty(&self) -> bool {
        matches!(&self.form, Form::Bundle(fields, _) if fields.iter().all(|field| field.width == 0))
    }
}

/// For [`ports!`](crate::ports!).
impl<'m> Child<'m> {
    /// Output `port` of the child, if it has it.
    #[track_caller]
    pub fn get_optional(self, port: impl PortName) -> Option<Signal<'m>> {
        let port = port.text();
        self.has_output(&port).then(|| self.get(port))
    }

    /// Drives input `port`, which may not exist: then there is no value.
    #[track_caller]
    pub fn drive_optional(self, port: impl PortName, value: Option<Signal<'m>>) {
        if let Some(value) = value {
            self.drive(port, value);
        }
    }
}

#[cfg(test)]
mod tests;
