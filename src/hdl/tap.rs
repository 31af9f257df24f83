//! Taps: nets of a block that somebody outside the hardware looks at, a report or a timeline.
//!
//! A block declares them as constants beside its statistics ([`taps!`](crate::taps)) and ties each to a net, or to
//! several in order ([`Builder::tap`](super::Builder::tap)); who looks asks the simulator for the tap. So a net may be
//! renamed, and a block moved in the hierarchy, and nobody looks in vain. A tap is no hardware: it keeps no net and is
//! not in the exported Verilog.
//!
//! What stands at the ports of tiles belongs to no block but to what joins them: a network, say, in whatever top it is
//! built. Such taps are declared for a part (`taps! { part "network" { ... } }`) and tied where the tiles are placed,
//! each with a number ([`Tap::at`]) that says of which node it is.

use std::fmt;

/// A declared tap; [`taps!`](crate::taps) makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tap {
    /// Kind of the block that has it, or name of the part that it belongs to.
    pub block: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// It belongs to a part, which a block of any kind may build.
    pub of_part: bool,
    /// Which one of a row of them: node, port, ...
    pub index: Option<u32>,
}

impl Tap {
    /// One of a row.
    pub const fn at(self, index: u32) -> Self {
        Self { index: Some(index), ..self }
    }

    /// Is it `other`, or one of its row?
    pub fn is_of(self, other: Tap) -> bool {
        (self.block, self.name, self.of_part) == (other.block, other.name, other.of_part)
            && (other.index.is_none() || self.index == other.index)
    }
}

/// As in messages: `output_unit.FLIT_VALID`, `network.SENT[3]`.
impl fmt::Display for Tap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.block, self.name)?;
        self.index.map_or(Ok(()), |index| write!(f, "[{index}]"))
    }
}

/// Declares the taps of a kind of block, or of a part that any block may build, as constants; see the module.
#[macro_export]
macro_rules! taps {
    (part $part:literal { $($taps:tt)+ }) => {
        $crate::taps!(@declare $part true $($taps)+);
    };
    ($block:literal { $($taps:tt)+ }) => {
        $crate::taps!(@declare $block false $($taps)+);
    };
    (@declare $block:literal $of_part:literal $($(#[doc = $about:literal])+ $NAME:ident,)+) => {
        $(
            $(#[doc = $about])+
            pub const $NAME: $crate::Tap =
                $crate::Tap { block: $block, name: stringify!($NAME), of_part: $of_part, index: None };
        )+
    };
}

#[cfg(test)]
mod tests {
    use crate::{Builder, params};

    taps! {
        "counter" {
            /// What is counted.
            COUNT,
        }
    }

    mod of_part {
        taps! {
            part "row" {
                /// What is shown at a place.
                SHOWN,
            }
        }
    }

    #[test]
    fn a_tap_is_tied_to_nets_of_its_block() {
        let said = |kind: &str, whole: bool| {
            let m = Builder::new(kind, params! {});
            let count = m.register("count", 4, 0);
            m.set(count, count + 1);
            m.tap(COUNT, if whole { count } else { count.bits(0, 2) });
            let module = m.finish();
            (module.taps.len(), module.problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>())
        };
        assert_eq!(said("counter", true), (1, vec![]));
        assert_eq!(said("counter", false), (0, vec!["tap `COUNT` is tied to an expression: give it a wire".into()]));
        assert_eq!(said("timer", true), (0, vec!["tap `COUNT` belongs to `counter`, not to `timer`".into()]));
    }

    #[test]
    fn taps_of_a_part_are_tied_in_any_block() {
        let m = Builder::new("timer", params! {});
        let shown = m.input("shown", 1);
        m.tap(of_part::SHOWN.at(3), shown);
        let module = m.finish();
        assert!(module.problems.is_empty(), "{:?}", module.problems);
        assert!(module.taps[0].0.is_of(of_part::SHOWN) && !module.taps[0].0.is_of(of_part::SHOWN.at(2)));
        assert_eq!(module.taps[0].0.to_string(), "row.SHOWN[3]");
    }
}
