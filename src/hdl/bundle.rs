//! Bundles: signals that belong together, declared once with names and widths.
//!
//! [`bundle!`](crate::bundle!) makes a struct of signals from a list of fields. What blocks need of it is one call
//! each:
//!
//! ```text
//!   inside a block                                      around its children
//!   Issue::inputs(&m, "issue", p)     ports in          Issue::of(child, "issue", p)    what a child shows
//!   issue.outputs(&m, "issue", p)     ports out         issue.drive(child, "issue", p)  what a child takes
//!   issue.pack(), Issue::unpack(w, p) one word          Issue::connect(p, from, to)     from one child to another
//!   Issue::registers(&m, "now", p)    registers
//! ```
//!
//! A port is called after the name of the bundle in its block and the field: `issue_warp`. A field of no bits does not
//! exist. What a block declares in this way is kept with it and compared where the block is used: a field that is
//! missing there, surplus, or of another width is a mistake, at both places.

use super::{
    builder::{Builder, Child},
    def::ProblemKind,
    layout::{Field, PortGroup},
    names::PortName,
    signal::{Signal, concat, mux},
    source::Source,
    values::Values,
};

impl Field {
    /// The signal of the field, its values named.
    fn named(self, signal: Signal<'_>) -> Signal<'_> {
        if let Some(values) = self.values {
            signal.builder().name_values(signal, values);
        }
        signal
    }
}

/// What a field of a bundle is in the struct: a signal, one that may not exist, or as many as a list has rows.
pub trait Slot<'m>: Copy {
    /// From the signals that come next, each none where it has no bits.
    fn from_signals(signals: &mut dyn Iterator<Item = Option<Signal<'m>>>) -> Option<Self>;

    /// The signals.
    fn signals(self) -> Vec<Option<Signal<'m>>>;
}

impl<'m> Slot<'m> for Signal<'m> {
    fn from_signals(signals: &mut dyn Iterator<Item = Option<Signal<'m>>>) -> Option<Self> {
        signals.next().flatten()
    }

    fn signals(self) -> Vec<Option<Signal<'m>>> {
        vec![Some(self)]
    }
}

impl<'m> Slot<'m> for Option<Signal<'m>> {
    fn from_signals(signals: &mut dyn Iterator<Item = Option<Signal<'m>>>) -> Option<Self> {
        Some(signals.next().flatten())
    }

    fn signals(self) -> Vec<Option<Signal<'m>>> {
        vec![self]
    }
}

impl<'m, T: Slot<'m>, const N: usize> Slot<'m> for [T; N] {
    fn from_signals(signals: &mut dyn Iterator<Item = Option<Signal<'m>>>) -> Option<Self> {
        let items: Option<Vec<T>> = (0..N).map(|_| T::from_signals(signals)).collect();
        items?.try_into().ok()
    }

    fn signals(self) -> Vec<Option<Signal<'m>>> {
        self.into_iter().flat_map(T::signals).collect()
    }
}

/// A struct of signals made by [`bundle!`](crate::bundle!).
pub trait Bundle<'m>: Copy {
    /// What the widths depend on.
    type Params: ?Sized;
    /// Name of the struct, for messages.
    const NAME: &'static str;

    /// All fields in order, those without bits among them.
    fn fields(p: &Self::Params) -> Vec<Field>;

    /// The struct from one signal for each field, in order; none for a field without bits.
    fn from_signals(signals: Vec<Option<Signal<'m>>>) -> Self;

    /// The signals in the order of the fields; none for a field without bits.
    fn signals(&self) -> Vec<Option<Signal<'m>>>;

    /// Names of all fields in order, with those of their values.
    fn names() -> Vec<(&'static str, Option<Values>)>;

    /// Bits of all fields together.
    fn width(p: &Self::Params) -> u32 {
        Self::fields(p).iter().map(|field| field.width).sum()
    }

    /// The struct with what `value` gives for each field that has bits.
    #[track_caller]
    fn build(p: &Self::Params, mut value: impl FnMut(Field) -> Signal<'m>) -> Self {
        let mut signals = vec![];
        for field in Self::fields(p) {
            // Not in a closure, where the caller would be unknown.
            signals.push(if field.width > 0 { Some(value(field)) } else { None });
        }
        Self::from_signals(signals)
    }

    /// Input ports.
    #[track_caller]
    fn inputs(m: &'m Builder, name: impl PortName, p: &Self::Params) -> Self {
        Self::ports(m, &name.text(), Self::fields(p), true)
    }

    /// Ports of these fields.
    #[doc(hidden)]
    #[track_caller]
    fn ports(m: &'m Builder, name: &str, fields: Vec<Field>, inputs: bool) -> Self {
        m.note_group(name.into(), Self::NAME, existing(&fields), inputs);
        let mut signals = vec![];
        for field in fields {
            signals.push(if field.width > 0 {
                let port = (name, field.name);
                Some(field.named(if inputs {
                    m.input_about(port, field.width, field.about)
                } else {
                    m.output_about(port, field.width, field.about)
                }))
            } else {
                None
            });
        }
        Self::from_signals(signals)
    }

    /// Output ports that show these signals.
    #[track_caller]
    fn outputs(self, m: &'m Builder, name: impl PortName, p: &Self::Params) {
        self.shown(m, name, p);
    }

    /// Output ports that show these signals, to be looked at.
    #[track_caller]
    fn shown(self, m: &'m Builder, name: impl PortName, p: &Self::Params) -> Self {
        self.show(m, &name.text(), Self::fields(p))
    }

    /// Output ports of these fields, which show these signals.
    #[doc(hidden)]
    #[track_caller]
    fn show(self, m: &'m Builder, name: &str, fields: Vec<Field>) -> Self {
        m.note_group(name.into(), Self::NAME, existing(&fields), false);
        let mut values = checked(self, m, &fields).into_iter();
        let mut ports = vec![];
        for field in fields {
            ports.push(if field.width > 0 {
                let port = field.named(m.output_about((name, field.name), field.width, field.about));
                values.by_ref().take(1).for_each(|(_, value)| m.assign(port, value));
                Some(port)
            } else {
                None
            });
        }
        Self::from_signals(ports)
    }

    /// Output ports to be driven later by [`assign`](Self::assign).
    #[track_caller]
    fn outputs_later(m: &'m Builder, name: impl PortName, p: &Self::Params) -> Self {
        Self::ports(m, &name.text(), Self::fields(p), false)
    }

    /// What `child` shows at its output ports.
    #[track_caller]
    fn of(child: Child<'m>, name: impl PortName, p: &Self::Params) -> Self {
        let name = name.text();
        child.compare_group(&name, Self::NAME, &existing(&Self::fields(p)), false);
        let mut signals = vec![];
        for field in Self::fields(p) {
            signals.push(if field.width > 0 { Some(field.named(child.get((&name, field.name)))) } else { None });
        }
        Self::from_signals(signals)
    }

    /// Drives the input ports of `child`.
    #[track_caller]
    fn drive(self, child: Child<'m>, name: impl PortName, p: &Self::Params) {
        let name = name.text();
        child.compare_group(&name, Self::NAME, &existing(&Self::fields(p)), true);
        for (field, value) in checked(self, child.builder(), &Self::fields(p)) {
            child.drive((&name, field.name), value);
        }
    }

    /// What `child` shows at output ports that it has declared as such a bundle, with the widths that they have there.
    #[track_caller]
    fn of_ports(child: Child<'m>, name: impl PortName) -> Self {
        let name = name.text();
        let module = child.module();
        let group = module.groups.iter().find(|g| !g.inputs && g.name == name && g.bundle == Self::NAME);
        let Some(group) = group else {
            let message = format!("`{}` has no outputs `{name}` that are a `{}`", module.name, Self::NAME);
            child.builder().problem(ProblemKind::Name, message, &[]);
            return Self::from_signals(Self::names().iter().map(|_| Some(child.builder().lit(1, 0))).collect());
        };
        let mut signals = vec![];
        for (field, _) in Self::names() {
            let Some(field) = group.fields.iter().find(|own| own.name == field) else {
                signals.push(None);
                continue;
            };
            signals.push(Some(field.named(child.get((&name, field.name)))));
        }
        Self::from_signals(signals)
    }

    /// Drives the input ports `name` of `child`; a field that it does not have is a mistake.
    #[track_caller]
    fn drive_ports(self, child: Child<'m>, name: impl PortName) {
        let name = name.text();
        for ((field, _), value) in Self::names().into_iter().zip(self.signals()) {
            child.drive_optional((&name, field), value);
        }
    }

    /// Output ports of one child to the input ports of another.
    #[track_caller]
    fn connect(p: &Self::Params, from: (Child<'m>, impl PortName), to: (Child<'m>, impl PortName)) {
        Self::of(from.0, from.1, p).drive(to.0, to.1, p);
    }

    /// One word, the first field in its most significant bits.
    #[track_caller]
    fn pack(self) -> Signal<'m> {
        concat(&self.signals().into_iter().flatten().collect::<Vec<_>>())
    }

    /// The fields of such a word.
    #[track_caller]
    fn unpack(word: Signal<'m>, p: &Self::Params) -> Self {
        let width = Self::width(p);
        let m = word.builder();
        m.require(word.width() == width, &format!("a `{}` has {width} bits, the word {}", Self::NAME, word.width()));
        if word.width() == width {
            m.note_layout(word, 0, existing(&Self::fields(p)));
        }
        let mut low = width;
        let mut signals = vec![];
        for field in Self::fields(p) {
            low -= field.width;
            let fits = low + field.width <= word.width();
            let signal =
                |field: Field| if fits { field.named(word.bits(low, field.width)) } else { m.lit(field.width, 0) };
            signals.push((field.width > 0).then(|| signal(field)));
        }
        Self::from_signals(signals)
    }

    /// Registers that ignore reset, called after `name` and the field.
    #[track_caller]
    fn registers(m: &'m Builder, name: impl PortName, p: &Self::Params) -> Self {
        let name = name.text();
        let mut signals = vec![];
        for field in Self::fields(p) {
            let register = |field: Field| field.named(m.register_payload((&name, field.name), field.width));
            signals.push((field.width > 0).then(|| register(field)));
        }
        Self::from_signals(signals)
    }

    /// Registers that take these values when `enable` is one; they ignore reset.
    #[track_caller]
    fn captured(self, m: &'m Builder, name: impl PortName, enable: Signal<'m>, p: &Self::Params) -> Self {
        let registers = Self::registers(m, name, p);
        m.when(enable, || registers.set(self));
        registers
    }

    /// `target <= value` at the clock edge, for registers.
    #[track_caller]
    fn set(self, value: Self) {
        for (target, value) in self.signals().into_iter().flatten().zip(value.signals().into_iter().flatten()) {
            target.builder().set(target, value);
        }
    }

    /// `target = value`, for wires and outputs.
    #[track_caller]
    fn assign(self, value: Self) {
        for (target, value) in self.signals().into_iter().flatten().zip(value.signals().into_iter().flatten()) {
            target.builder().assign(target, value);
        }
    }

    /// The bundle whose bit of the one-hot `which` is set, or zeros.
    #[track_caller]
    fn one_hot(which: Signal<'m>, items: &[Self]) -> Self {
        let mut sum: Vec<Option<Signal<'m>>> = vec![];
        for (item, bit) in items.iter().zip(which.to_bits()) {
            let masked =
                item.signals().into_iter().map(|signal| signal.map(|signal| signal & bit.repeat(signal.width())));
            sum = if sum.is_empty() {
                masked.collect()
            } else {
                sum.into_iter().zip(masked).map(|(a, b)| a.zip(b).map(|(a, b)| a | b)).collect()
            };
        }
        Self::from_signals(sum)
    }

    /// Where `condition` is one these signals, else those of `other`.
    #[track_caller]
    fn or_else(self, condition: Signal<'m>, other: Self) -> Self {
        let mut signals = vec![];
        for (one, zero) in self.signals().into_iter().zip(other.signals()) {
            signals.push(if let (Some(one), Some(zero)) = (one, zero) {
                Some(mux(condition, one, zero))
            } else {
                None
            });
        }
        Self::from_signals(signals)
    }
}

/// Fields that have bits, with their signals; a signal of another width is a mistake.
#[track_caller]
fn checked<'m, B: Bundle<'m>>(bundle: B, m: &'m Builder, fields: &[Field]) -> Vec<(Field, Signal<'m>)> {
    let mut out = vec![];
    for (&field, signal) in fields.iter().zip(bundle.signals()) {
        let found = signal.map_or(0, Signal::width);
        if found != field.width {
            let message =
                format!("field `{}` of `{}` has {} bits, the value {found}", field.name, B::NAME, field.width);
            m.problem(ProblemKind::WidthMismatch, message, &[]);
        }
        match signal {
            Some(signal) if signal.width() == field.width => out.push((field, signal)),
            _ if field.width > 0 => out.push((field, m.lit(field.width, 0))),
            _ => {}
        }
    }
    out
}

fn existing(fields: &[Field]) -> Vec<Field> {
    fields.iter().copied().filter(|field| field.width > 0).collect()
}

impl Builder {
    #[track_caller]
    fn note_group(&self, name: String, bundle: &'static str, fields: Vec<Field>, inputs: bool) {
        self.add_group(PortGroup { name, bundle, fields, inputs, source: Source::here() });
    }
}

impl Child<'_> {
    /// It has declared such ports as a bundle.
    pub fn has_ports(self, name: impl PortName, inputs: bool) -> bool {
        let name = name.text();
        self.module().groups.iter().any(|group| group.inputs == inputs && group.name == name)
    }

    /// Compares what is expected at the ports `name` with what the child has declared there, if that is a bundle.
    #[track_caller]
    fn compare_group(self, name: &str, bundle: &'static str, fields: &[Field], inputs: bool) {
        let module = self.module();
        // Several bundles may share the empty name; one of the same struct is meant then.
        let mut groups = module.groups.iter().filter(|group| group.name == name && group.inputs == inputs);
        let same = groups.clone().find(|group| group.bundle == bundle);
        let Some(group) = same.or_else(|| groups.next().filter(|_| !name.is_empty())) else { return };
        let mut differences = vec![];
        for field in fields {
            match group.fields.iter().find(|other| other.name == field.name) {
                None => differences.push(format!("it has no `{}`", field.name)),
                Some(other) if other.width != field.width => {
                    differences.push(format!("`{}` has {} bits there, {} here", field.name, other.width, field.width));
                }
                Some(_) => {}
            }
        }
        let surplus = group.fields.iter().filter(|other| fields.iter().all(|field| field.name != other.name));
        differences.extend(surplus.map(|other| format!("its `{}` is none of `{bundle}`", other.name)));
        if !differences.is_empty() {
            let message = format!("`{name}` of `{}` is a `{}`: {}", module.name, group.bundle, differences.join(", "));
            self.builder().problem(ProblemKind::WidthMismatch, message, &[group.source]);
        }
    }
}

/// Declares a [`Bundle`]: a struct of signals with the widths of its fields, which may depend on parameters. A field with `maybe` is an
/// `Option` and exists where its width is not 0. A field with `each` is an array, of a type that takes that of a signal, with a [`Field`] for
/// each of its signals, and behind a semicolon their names: what a table of units has in the bundle.
///
/// ```
/// warpmesh_hdl::bundle! {
///     /// A request.
///     pub struct Request(tag_bits: &u32) {
///         /// There is one.
///         valid: 1,
///         /// Transaction number.
///         tag: *tag_bits,
///         /// Parity of the tag, of long ones.
///         maybe parity: u32::from(*tag_bits > 8),
///         /// Its values have names.
///         kind: 1 => kind::VALUES,
///     }
/// }
///
/// warpmesh_hdl::values! {
///     /// Kinds of requests.
///     pub mod kind = "KIND" {
///         READ = 0,
///         WRITE = 1,
///     }
/// }
/// ```
#[macro_export]
macro_rules! bundle {
    ($(#[$doc:meta])* $vis:vis struct $Name:ident($p:ident: &$P:ty) { $($fields:tt)* }) => {
        $crate::bundle!(@fields ['m $(#[$doc])* $vis $Name $p $P] [] $($fields)*);
    };
    (@fields $head:tt [$($done:tt)*] $(#[doc = $about:literal])*
        each $field:ident: $Each:ident => $list:expr; $names:expr, $($rest:tt)*
    ) => {
        $crate::bundle!(@fields $head [$($done)* {
            [$(#[doc = $about])*] $field [$Each]
            {$list.into_iter().map(|field| $crate::Field { about: concat!($($about),*), ..field })} {$names}
        }] $($rest)*);
    };
    (@fields $head:tt [$($done:tt)*] $(#[doc = $about:literal])* maybe $field:ident: $width:expr, $($rest:tt)*) => {
        $crate::bundle!(@one $head [$($done)*] [$($about)*] $field [std::option::Option] $width; None; $($rest)*);
    };
    (@fields $head:tt [$($done:tt)*] $(#[doc = $about:literal])* $field:ident: $width:expr, $($rest:tt)*) => {
        $crate::bundle!(@one $head [$($done)*] [$($about)*] $field [$crate::Always] $width; None; $($rest)*);
    };
    (@fields $head:tt [$($done:tt)*] $(#[doc = $about:literal])* $field:ident: $width:expr => $values:expr, $($rest:tt)*) => {
        $crate::bundle!(@one $head [$($done)*] [$($about)*] $field [$crate::Always] $width; Some($values); $($rest)*);
    };
    (@one
        $head:tt [$($done:tt)*] [$($about:literal)*] $field:ident $kind:tt $width:expr; $values:expr; $($rest:tt)*
    ) => {
        $crate::bundle!(@fields $head [$($done)* {
            [$(#[doc = $about])* #[doc = concat!("\n\nBits: `", stringify!($width), "`.")]]
            $field $kind
            {[$crate::Field {
                name: stringify!($field), width: $width, values: $values, about: concat!($($about),*),
            }]}
            {[(stringify!($field), $values)]}
        }] $($rest)*);
    };
    (@fields
        [$m:lifetime $(#[$doc:meta])* $vis:vis $Name:ident $p:ident $P:ty]
        [$({[$($field_doc:tt)*] $field:ident [$($kind:tt)*] {$list:expr} {$names:expr}})*]
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        $vis struct $Name<$m> {
            $(
                $($field_doc)*
                pub $field: $($kind)*<$crate::Signal<$m>>,
            )*
        }

        impl<$m> $crate::Bundle<$m> for $Name<$m> {
            type Params = $P;
            const NAME: &'static str = stringify!($Name);

            fn fields($p: &$P) -> Vec<$crate::Field> {
                let mut fields = vec![];
                $(fields.extend($list);)*
                fields
            }

            fn names() -> Vec<(&'static str, Option<$crate::Values>)> {
                let mut names = vec![];
                $(names.extend($names);)*
                names
            }

            fn from_signals(signals: Vec<Option<$crate::Signal<$m>>>) -> Self {
                let mut signals = signals.into_iter();
                Self {
                    $($field: $crate::Slot::from_signals(&mut signals)
                        .expect(concat!("field `", stringify!($field), "` has bits with all parameters")),)*
                }
            }

            fn signals(&self) -> Vec<Option<$crate::Signal<$m>>> {
                let mut signals = vec![];
                $(signals.extend($crate::Slot::signals(self.$field));)*
                signals
            }
        }
    };
}

/// The type of a field that always has bits.
pub type Always<T> = T;
