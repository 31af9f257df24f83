//! The macro.

/// Declares the ports of a block. A port is `in` or `out`, has a width or is a bundle, which may have a
/// way back ([`Taken`](crate::Taken), [`Ready`](crate::Ready), [`Granted`](crate::Granted),
/// [`Credit`](crate::Credit)); `maybe` tells on what it depends that it exists,
/// brackets make a row, `as` calls it otherwise than by its own name and its place in the row.
///
/// ```
/// use warpmesh_hdl::{Builder, Bundle, Module, bundle, params, ports};
///
/// bundle! {
///     /// A word with its number.
///     pub struct Word(bits: &u32) {
///         valid: 1,
///         data: *bits,
///     }
/// }
///
/// /// Parameters of a [`sorter`].
/// pub struct SorterParams {
///     pub ways: usize,
///     pub bits: u32,
///     pub counts: bool,
/// }
///
/// ports! {
///     /// Ports of a [`sorter`].
///     pub struct SorterPorts(p: &SorterParams) of Sorter {
///         /// The word that comes.
///         in word: bundle Word(&p.bits) with taken: 1,
///         /// Which way it takes.
///         in way[i: usize in 0..p.ways]: 1,
///         /// The word, at its way.
///         out sorted[i: usize in 0..p.ways]: bundle Word(&p.bits),
///         /// Words so far.
///         maybe (p.counts) out count: 8,
///     }
/// }
///
/// /// Shows a word at the way that it takes.
/// pub fn sorter(p: &SorterParams) -> Module {
///     let m = Builder::new("sorter", params! { ways: p.ways, bits: p.bits, counts: p.counts });
///     let io = SorterPorts::new(&m, p);
///     let (word, taken) = io.word().signals();
///     let ways: Vec<_> = (0..p.ways).map(|i| io.way(i)).collect();
///     for (i, way) in ways.iter().enumerate() {
///         io.sorted(i, Word { valid: word.valid & *way, ..word });
///     }
///     taken.shows(word.valid);
///     if p.counts {
///         let count = m.register("words", 8, 0);
///         m.when(word.valid, || m.set(count, count + 1));
///         io.count(count);
///     }
///     m.finish()
/// }
///
/// let p = SorterParams { ways: 2, bits: 4, counts: false };
/// let m = Builder::new("two_sorters", params! {});
/// let [first, second] = ["first", "second"].map(|name| Sorter(m.instance(name, &sorter(&p))));
/// for i in 0..2 {
///     first.way(i, m.input(("first", i), 1));
///     second.way(i, m.input(("second", i), 1));
/// }
/// first.word().drive(Word::inputs(&m, "word", &p.bits));
/// second.word().drive(first.sorted(0));
/// assert!(second.count().is_none());
/// assert!(m.finish().problems.is_empty());
/// ```
#[macro_export]
macro_rules! ports {
    ($(#[$doc:meta])* $vis:vis struct $Ports:ident($p:tt: &$P:ty) of $Placed:ident { $($ports:tt)* }) => {
        $crate::ports!(@port ['m [$(#[$doc])*] $vis $Ports $Placed $p $P] [] $($ports)*);
    };

    // Each port in four steps: which exist, rows, names, forms.
    (@port $head:tt $done:tt $(#[doc = $about:literal])* maybe ($exists:expr) $way:ident $port:ident $($rest:tt)*) => {
        $crate::ports!(@row $head $done [[$($about)*] (maybe $exists) $way $port] $($rest)*);
    };
    (@port $head:tt $done:tt $(#[doc = $about:literal])* in $port:ident $($rest:tt)*) => {
        $crate::ports!(@row $head $done [[$($about)*] (always) in $port] $($rest)*);
    };
    (@port $head:tt $done:tt $(#[doc = $about:literal])* out $port:ident $($rest:tt)*) => {
        $crate::ports!(@row $head $done [[$($about)*] (always) out $port] $($rest)*);
    };
    (@row $head:tt $done:tt [$about:tt $exists:tt $way:ident $port:ident]
        [$i:ident: $I:ident in $all:expr] as $name:tt $($rest:tt)*) => {
        $crate::ports!(@form $head $done [$about $exists $way $port [$i $I ($all)] $name] $($rest)*);
    };
    (@row $head:tt $done:tt [$about:tt $exists:tt $way:ident $port:ident]
        [$i:ident: $I:ident in $all:expr] $($rest:tt)*) => {
        $crate::ports!(@form $head $done [$about $exists $way $port [$i $I ($all)] (stringify!($port), $i)] $($rest)*);
    };
    (@row $head:tt $done:tt [$about:tt $exists:tt $way:ident $port:ident] as $name:tt $($rest:tt)*) => {
        $crate::ports!(@form $head $done [$about $exists $way $port [] $name] $($rest)*);
    };
    (@row $head:tt $done:tt [$about:tt $exists:tt $way:ident $port:ident] $($rest:tt)*) => {
        $crate::ports!(@form $head $done [$about $exists $way $port [] (stringify!($port))] $($rest)*);
    };
    (@form $head:tt [$($done:tt)*] [$($port:tt)*] : bundle $B:ident($args:expr) with taken: $bits:expr, $($rest:tt)*) => {
        $crate::ports!(@port $head [$($done)* {$($port)* (bundle $B ($args) Taken "taken" ($bits))}] $($rest)*);
    };
    (@form $head:tt [$($done:tt)*] [$($port:tt)*] : bundle $B:ident($args:expr) with ready: $bits:expr, $($rest:tt)*) => {
        $crate::ports!(@port $head [$($done)* {$($port)* (bundle $B ($args) Ready "ready" ($bits))}] $($rest)*);
    };
    (@form $head:tt [$($done:tt)*] [$($port:tt)*] : bundle $B:ident($args:expr) with granted: $bits:expr, $($rest:tt)*) => {
        $crate::ports!(@port $head [$($done)* {$($port)* (bundle $B ($args) Granted "granted" ($bits))}] $($rest)*);
    };
    (@form $head:tt [$($done:tt)*] [$($port:tt)*] : bundle $B:ident($args:expr) with credit: $bits:expr, $($rest:tt)*) => {
        $crate::ports!(@port $head [$($done)* {$($port)* (bundle $B ($args) Credit "credit" ($bits))}] $($rest)*);
    };
    (@form $head:tt [$($done:tt)*] [$($port:tt)*] : bundle $B:ident($args:expr), $($rest:tt)*) => {
        $crate::ports!(@port $head [$($done)* {$($port)* (bundle $B ($args))}] $($rest)*);
    };
    (@form $head:tt [$($done:tt)*] [$($port:tt)*] : $width:expr, $($rest:tt)*) => {
        $crate::ports!(@port $head [$($done)* {$($port)* (bits $width)}] $($rest)*);
    };

    // All of them.
    (@port
        [$m:lifetime [$($doc:tt)*] $vis:vis $Ports:ident $Placed:ident $p:tt $P:ty]
        [$({[$($about:literal)*] $exists:tt $way:ident $port:ident $row:tt $name:tt $form:tt})*]
    ) => {
        $($doc)*
        #[derive(Clone, Copy)]
        $vis struct $Ports<$m>(&$m $crate::Builder);

        #[doc = concat!("An instance with the ports of [`", stringify!($Ports), "`].")]
        #[derive(Clone, Copy)]
        $vis struct $Placed<$m>(pub $crate::Child<$m>);

        #[allow(dead_code, reason = "who describes the block uses one half of the methods, who places it the other")]
        impl<$m> $Ports<$m> {
            /// Of the block that `m` records.
            #[allow(unused_variables, clippy::vec_init_then_push, reason = "widths may be constants, and there may be no rows")]
            pub fn new(m: &$m $crate::Builder, $p: &$P) -> Self {
                #[allow(unused_mut, reason = "there may be no port")]
                let mut all: Vec<$crate::DeclaredPort> = vec![];
                $($crate::ports!(@list all [$($about)*] $exists $way $row $name $form);)*
                m.declare_ports(all);
                Self(m)
            }

            $($crate::ports!(@inside $m [$($about)*] $exists $way $port $row $name $form);)*
        }

        #[allow(dead_code, reason = "who describes the block uses one half of the methods, who places it the other")]
        impl<$m> $Placed<$m> {
            $($crate::ports!(@around $m [$($about)*] $exists $way $port $row $name $form);)*
        }
    };

    // The list of them.
    (@list $all:ident $about:tt (maybe $exists:expr) $($port:tt)*) => {
        if $exists {
            $crate::ports!(@list $all $about (always) $($port)*);
        }
    };
    (@list $all:ident $about:tt (always) $way:ident [$i:ident $I:ident ($row:expr)] $($port:tt)*) => {
        for $i in $row {
            $crate::ports!(@list $all $about (always) $way [] $($port)*);
        }
    };
    (@list $all:ident [$($about:literal)*] (always) $way:ident [] $name:tt (bits $width:expr)) => {
        $all.push($crate::DeclaredPort::bits($crate::ports!(@is_input $way), $name, $width, concat!($($about),*)))
    };
    (@list $all:ident [$($about:literal)*] (always) $way:ident [] $name:tt (bundle $B:ident ($args:expr))) => {
        $all.push($crate::DeclaredPort::bundle::<$B<'_>>($crate::ports!(@is_input $way), $name, $args, concat!($($about),*)))
    };
    (@list $all:ident [$($about:literal)*] (always) $way:ident [] $name:tt (bundle $B:ident ($args:expr) $Back:ident $back:literal ($bits:expr))) => {
        $all.push($crate::DeclaredPort::bundle::<$B<'_>>($crate::ports!(@is_input $way), $name, $args, concat!($($about),*)));
        let about = <$crate::$Back as $crate::Handshake>::ABOUT;
        $all.push($crate::DeclaredPort::bits(!$crate::ports!(@is_input $way), ($name, $back), $bits, about))
    };
    (@is_input in) => { true };
    (@is_input out) => { false };

    // Inside: bits, bundles, bundles with a way back.
    (@inside $m:lifetime [$($about:literal)*] (always) in $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bits $width:expr)) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nInput of `", stringify!($width), "` bits.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?) -> $crate::Signal<$m> {
            self.0.declared_input($name)
        }
    };
    (@inside $m:lifetime [$($about:literal)*] (maybe $exists:expr) in $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bits $width:expr)) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nInput of `", stringify!($width), "` bits, where `", stringify!($exists), "`.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?) -> Option<$crate::Signal<$m>> {
            self.0.declared_optional_input($name)
        }
    };
    (@inside $m:lifetime [$($about:literal)*] $exists:tt out $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bits $width:expr)) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nOutput of `", stringify!($width), "` bits.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?, value: impl $crate::Shown<$m>) -> $crate::Signal<$m> {
            self.0.declared_output($name, value)
        }
    };
    (@inside $m:lifetime [$($about:literal)*] (always) in $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bundle $B:ident ($args:expr))) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nInput.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?) -> $B<$m> {
            self.0.declared_inputs($name)
        }
    };
    (@inside $m:lifetime [$($about:literal)*] (maybe $exists:expr) in $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bundle $B:ident ($args:expr))) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nInput, where `", stringify!($exists), "`.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?) -> Option<$B<$m>> {
            self.0.declared_optional_inputs($name)
        }
    };
    (@inside $m:lifetime [$($about:literal)*] $exists:tt out $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bundle $B:ident ($args:expr))) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nOutput; none: it is assigned later.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?, value: impl Into<Option<$B<$m>>>) -> $B<$m> {
            self.0.declared_outputs($name, value.into())
        }
    };
    (@inside $m:lifetime [$($about:literal)*] $exists:tt in $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bundle $B:ident ($args:expr) $Back:ident $back:literal ($bits:expr))) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nInput, answered by `", $back, "` of `", stringify!($bits), "` bits.")]
        pub fn $port(self $(, $i: $I)?) -> $crate::Inlet<$m, $B<$m>, $crate::$Back> {
            $crate::Inlet::new(self.0, $name)
        }
    };
    (@inside $m:lifetime [$($about:literal)*] $exists:tt out $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bundle $B:ident ($args:expr) $Back:ident $back:literal ($bits:expr))) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nOutput, answered by `", $back, "` of `", stringify!($bits), "` bits.")]
        pub fn $port(self $(, $i: $I)?) -> $crate::Outlet<$m, $B<$m>, $crate::$Back> {
            $crate::Outlet::new(self.0, $name)
        }
    };

    // Around the block.
    (@around $m:lifetime [$($about:literal)*] (always) in $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bits $width:expr)) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nInput of `", stringify!($width), "` bits.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?, value: impl $crate::Operand<$m>) {
            self.0.drive($name, value);
        }
    };
    (@around $m:lifetime [$($about:literal)*] (maybe $exists:expr) in $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bits $width:expr)) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nInput of `", stringify!($width), "` bits, where `", stringify!($exists), "`.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?, value: impl Into<Option<$crate::Signal<$m>>>) {
            self.0.drive_optional($name, value.into());
        }
    };
    (@around $m:lifetime [$($about:literal)*] (always) out $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bits $width:expr)) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nOutput of `", stringify!($width), "` bits.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?) -> $crate::Signal<$m> {
            self.0.get($name)
        }
    };
    (@around $m:lifetime [$($about:literal)*] (maybe $exists:expr) out $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bits $width:expr)) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nOutput of `", stringify!($width), "` bits, where `", stringify!($exists), "`.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?) -> Option<$crate::Signal<$m>> {
            self.0.get_optional($name)
        }
    };
    (@around $m:lifetime [$($about:literal)*] $exists:tt in $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bundle $B:ident ($args:expr))) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nInput.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?, value: $B<$m>) {
            $crate::Bundle::drive_ports(value, self.0, $name);
        }
    };
    (@around $m:lifetime [$($about:literal)*] (always) out $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bundle $B:ident ($args:expr))) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nOutput.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?) -> $B<$m> {
            $crate::Bundle::of_ports(self.0, $name)
        }
    };
    (@around $m:lifetime [$($about:literal)*] (maybe $exists:expr) out $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bundle $B:ident ($args:expr))) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nOutput, where `", stringify!($exists), "`.")]
        #[track_caller]
        pub fn $port(self $(, $i: $I)?) -> Option<$B<$m>> {
            self.0.has_ports($name, false).then(|| $crate::Bundle::of_ports(self.0, $name))
        }
    };
    (@around $m:lifetime [$($about:literal)*] $exists:tt in $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bundle $B:ident ($args:expr) $Back:ident $back:literal ($bits:expr))) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nInput, answered by `", $back, "` of `", stringify!($bits), "` bits.")]
        pub fn $port(self $(, $i: $I)?) -> $crate::Consumer<$m, $B<$m>, $crate::$Back> {
            $crate::Consumer::new(self.0, $name)
        }
    };
    (@around $m:lifetime [$($about:literal)*] $exists:tt out $port:ident [$($i:ident $I:ident $row:tt)?] $name:tt (bundle $B:ident ($args:expr) $Back:ident $back:literal ($bits:expr))) => {
        $(#[doc = $about])*
        #[doc = concat!("\n\nOutput, answered by `", $back, "` of `", stringify!($bits), "` bits.")]
        pub fn $port(self $(, $i: $I)?) -> $crate::Producer<$m, $B<$m>, $crate::$Back> {
            $crate::Producer::new(self.0, $name)
        }
    };
}
