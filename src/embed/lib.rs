//! A [`Module`] inside a rust-hdl design.
//!
//! rust-hdl's ports are struct fields of static types, so a module is embedded by naming its ports once, with their
//! types, in [`rust_hdl_block!`](crate::rust_hdl_block). The macro makes a rust-hdl block of it: rust-hdl's
//! `Simulation` runs the module in our simulator, and `generate_verilog` prints our Verilog of it (inside a wrapper,
//! modules guarded against being defined twice).
//!
//! ```
//! use rust_hdl::prelude::*;
//! use hdl::Builder;
//! use warpmesh_embed::rust_hdl_block;
//!
//! rust_hdl_block! {
//!     /// Counts enabled cycles.
//!     pub struct Counter {
//!         clock clock; reset reset;
//!         in enable: Bit;
//!         out value: Bits<4>;
//!     }
//! }
//!
//! let m = Builder::new("counter", hdl::params! {});
//! let count = m.register("count", 4, 0);
//! m.when(m.input("enable", 1), || m.set(count, count + 1));
//! m.output_of("value", count);
//!
//! let mut block = Counter::new(&m.finish())?;
//! block.connect_all();
//! for level in [true, false, true, false] {
//!     block.enable.next = true;
//!     block.clock.next = level.into();
//!     simulate(&mut block, 10);
//! }
//! assert_eq!(block.value.val(), 2);
//! # Ok::<(), warpmesh_embed::EmbedError>(())
//! ```

#![forbid(unsafe_code)]

use hdl::{Bits, NetId};
use netlist::{ElaborationError, elaborate};
use rust_hdl::prelude::{Bits as RustHdlBits, Signed, Wrapper, bit_cast, signed_cast};
use sim::{InputHandle, Options, OutputHandle, Simulator};
use verilog::{ExportOptions, export};

// What the macro needs of rust-hdl, wherever it is used.
#[doc(hidden)]
pub use hdl::Module;
#[doc(hidden)]
pub use rust_hdl::prelude::{Block, Clock, Logic, Probe, Synth, Verilog};
#[doc(hidden)]
pub use sim::SimError;

/// An input signal.
pub type Input<T> = rust_hdl::prelude::Signal<rust_hdl::prelude::In, T>;
/// An output signal.
pub type Output<T> = rust_hdl::prelude::Signal<rust_hdl::prelude::Out, T>;

/// Why a module cannot be embedded.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum EmbedError {
    /// The module is wrong.
    #[error(transparent)]
    Elaboration(#[from] ElaborationError),
    /// The simulator does not take it.
    #[error(transparent)]
    Simulation(#[from] SimError),
    /// The struct's ports are not the module's.
    #[error("ports of `{module}`: {message}")]
    Ports {
        /// The module.
        module: String,
        /// What differs.
        message: String,
    },
}

/// Types of rust-hdl ports that a module can have.
pub trait PortValue: Synth {
    /// As bits.
    fn to_bits(self) -> Bits;
    /// From bits of the type's width.
    fn from_bits(bits: &Bits) -> Self;
}

impl PortValue for bool {
    fn to_bits(self) -> Bits {
        Bits::new(1, self.into())
    }

    fn from_bits(bits: &Bits) -> Self {
        bits.bit(0)
    }
}

impl<const N: usize> PortValue for RustHdlBits<N> {
    fn to_bits(self) -> Bits {
        let words: Vec<u64> = (0..N).step_by(64).map(|at| self.get_bits::<64>(at).to_u64()).collect();
        Bits::from_words(N as u32, &words)
    }

    fn from_bits(bits: &Bits) -> Self {
        let word = |word: u64| bit_cast::<N, 64>(word.into());
        let parts = bits.words().iter().enumerate();
        parts.fold(Self::default(), |all, (i, &w)| if i == 0 { word(w) } else { all | (word(w) << (64 * i as u64)) })
    }
}

impl<const N: usize> PortValue for Signed<N> {
    fn to_bits(self) -> Bits {
        self.inner().to_bits()
    }

    fn from_bits(bits: &Bits) -> Self {
        signed_cast(RustHdlBits::from_bits(bits))
    }
}

/// A running module, as the blocks made by [`rust_hdl_block!`](crate::rust_hdl_block) hold it.
pub struct Embedded {
    simulator: Simulator,
    inputs: Vec<InputHandle>,
    outputs: Vec<OutputHandle>,
    verilog: Wrapper,
    failure: Option<SimError>,
}

impl Embedded {
    /// Prepares `module`; ports are (name, bits) in the order in which [`update`](Self::update) gives and wants values.
    /// `clocked`: the block has clock and reset signals of these names.
    pub fn new(
        module: &Module,
        clocked: Option<[&str; 2]>,
        inputs: &[(&str, usize)],
        outputs: &[(&str, usize)],
    ) -> Result<Self, EmbedError> {
        let design = elaborate(module)?;
        let simulator = Simulator::new(&design, &Options::default())?;
        let wrong = |message| EmbedError::Ports { module: module.name.clone(), message };
        same_ports(module, "input", &module.inputs, inputs).map_err(wrong)?;
        same_ports(module, "output", &module.outputs, outputs).map_err(wrong)?;
        let named: Vec<_> = module.domains[1..].iter().filter(|d| d.used).map(|d| d.name.as_str()).collect();
        if !named.is_empty() {
            return Err(wrong(format!(
                "it has the clock domains {} in addition to the one of the block",
                named.join(", ")
            )));
        }
        match clocked {
            None if module.stateful => return Err(wrong("it has state: the block needs `clock` and `reset`".into())),
            Some(_) if !module.stateful => return Err(wrong("it has no state: the block needs no clock".into())),
            _ => {}
        }
        let handles = |ports: &[(&str, usize)]| ports.iter().map(|(name, _)| simulator.input(name)).collect();
        let input_handles: Result<Vec<_>, _> = handles(inputs);
        let output_handles: Result<Vec<_>, _> = outputs.iter().map(|(name, _)| simulator.output(name)).collect();
        let options = ExportOptions { sram_bits: None, ..Default::default() };
        let cores = export(&design, &options).iter().map(|file| guarded(&file.name, &file.text)).collect();
        let pins = clocked.map(|[clock, reset]| [("clock", clock), ("reset", reset)]);
        let pins = pins.iter().flatten().copied().chain(inputs.iter().chain(outputs).map(|(name, _)| (*name, *name)));
        let pins: Vec<_> = pins.map(|(port, signal)| format!("    .{port}({signal})")).collect();
        let code = format!("{} embedded (\n{}\n);", module.name, pins.join(",\n"));
        Ok(Self {
            inputs: input_handles?,
            outputs: output_handles?,
            simulator,
            verilog: Wrapper { code, cores },
            failure: None,
        })
    }

    /// One call of rust-hdl's `update`: inputs in, at a clock edge one cycle on, outputs out. After a failed assertion the
    /// module stands still.
    pub fn update(&mut self, edge: bool, reset: bool, inputs: &[Bits]) -> Vec<Bits> {
        for (port, value) in self.inputs.iter().zip(inputs) {
            self.simulator.poke_bits_at(*port, value);
        }
        if edge && reset {
            self.simulator.reset(1);
        } else if edge && self.failure.is_none() {
            self.failure = self.simulator.step().err();
        }
        self.outputs.iter().map(|port| self.simulator.peek_bits_at(*port)).collect()
    }

    /// The first assertion of the module that failed.
    pub fn failure(&self) -> Option<&SimError> {
        self.failure.as_ref()
    }

    /// An instance of the module's Verilog, and the modules.
    pub fn hdl(&self) -> Verilog {
        Verilog::Wrapper(self.verilog.clone())
    }
}

fn same_ports(module: &Module, direction: &str, nets: &[NetId], ports: &[(&str, usize)]) -> Result<(), String> {
    for (name, width) in ports {
        let net = nets.iter().map(|&n| module.net(n)).find(|net| net.name == *name);
        let net = net.ok_or_else(|| format!("it has no {direction} `{name}`"))?;
        if net.width as usize != *width {
            return Err(format!("{direction} `{name}` has {} bits, the block's signal has {width}", net.width));
        }
    }
    let missing = nets.iter().map(|&n| &module.net(n).name).find(|name| ports.iter().all(|(port, _)| port != name));
    missing.map_or(Ok(()), |name| Err(format!("{direction} `{name}` is missing in the block")))
}

/// A module that may stand several times in one file, once per embedded block.
fn guarded(name: &str, text: &str) -> String {
    format!("\n`ifndef WARPMESH_{name}\n`define WARPMESH_{name}\n{text}`endif\n")
}

/// Makes a rust-hdl block of a [`Module`]'s ports; see the [module documentation](crate).
///
/// `clock` and `reset` name the block's clock and synchronous reset signals (both or, for a module without state, neither),
/// `in` and `out` the module's ports by name, typed `Bit`, `Bits<N>` or `Signed<N>`. The block has `new(&Module)`, which checks
/// that these are all the module's ports and their widths, and `failure()`, the first failed assertion of the module.
#[macro_export]
macro_rules! rust_hdl_block {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $(clock $clock:ident; reset $reset:ident;)?
            $(in $in:ident: $in_type:ty;)*
            $(out $out:ident: $out_type:ty;)*
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $(
                /// The clock.
                pub $clock: $crate::Input<$crate::Clock>,
                /// Synchronous reset, high active.
                pub $reset: $crate::Input<bool>,
            )?
            $(
                #[doc = concat!("Input `", stringify!($in), "`.")]
                pub $in: $crate::Input<$in_type>,
            )*
            $(
                #[doc = concat!("Output `", stringify!($out), "`.")]
                pub $out: $crate::Output<$out_type>,
            )*
            embedded: $crate::Embedded,
        }

        impl $name {
            /// The block around `module`, whose ports have to be those of this struct.
            $vis fn new(module: &$crate::Module) -> ::std::result::Result<Self, $crate::EmbedError> {
                use $crate::Synth;
                let clocked: &[[&str; 2]] = &[$([stringify!($clock), stringify!($reset)])?];
                let inputs = [$((stringify!($in), <$in_type>::BITS)),*];
                let outputs = [$((stringify!($out), <$out_type>::BITS)),*];
                Ok(Self {
                    $($clock: Default::default(), $reset: Default::default(),)?
                    $($in: Default::default(),)*
                    $($out: Default::default(),)*
                    embedded: $crate::Embedded::new(module, clocked.first().copied(), &inputs, &outputs)?,
                })
            }

            /// The first assertion of the module that failed; it stands still from then on.
            $vis fn failure(&self) -> Option<&$crate::SimError> {
                self.embedded.failure()
            }
        }

        impl $crate::Logic for $name {
            fn update(&mut self) {
                use $crate::PortValue;
                let edge = false $(|| self.$clock.pos_edge())?;
                let reset = false $(|| self.$reset.val())?;
                let mut outputs = self.embedded.update(edge, reset, &[$(self.$in.val().to_bits()),*]).into_iter();
                $(
                    if let Some(value) = outputs.next() {
                        self.$out.next = <$out_type>::from_bits(&value);
                    }
                )*
            }

            fn connect(&mut self) {
                $(self.$out.connect();)*
            }

            fn hdl(&self) -> $crate::Verilog {
                self.embedded.hdl()
            }
        }

        impl $crate::Block for $name {
            fn connect_all(&mut self) {
                $crate::Logic::connect(self);
                $(self.$clock.connect_all(); self.$reset.connect_all();)?
                $(self.$in.connect_all();)*
                $(self.$out.connect_all();)*
            }

            fn update_all(&mut self) {
                $crate::Logic::update(self);
                $(self.$clock.update_all(); self.$reset.update_all();)?
                $(self.$in.update_all();)*
                $(self.$out.update_all();)*
            }

            fn has_changed(&self) -> bool {
                false $(|| self.$clock.has_changed() || self.$reset.has_changed())?
                    $(|| self.$in.has_changed())* $(|| self.$out.has_changed())*
            }

            fn accept(&self, name: &str, probe: &mut dyn $crate::Probe) {
                probe.visit_start_scope(name, self);
                $(
                    self.$clock.accept(stringify!($clock), probe);
                    self.$reset.accept(stringify!($reset), probe);
                )?
                $(self.$in.accept(stringify!($in), probe);)*
                $(self.$out.accept(stringify!($out), probe);)*
                probe.visit_end_scope(name, self);
            }
        }
    };
}
