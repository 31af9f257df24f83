//! Taps: nets of a block that somebody outside the hardware looks at, a report or a timeline.
//!
//! A block declares them as constants beside its statistics ([`taps!`](crate::taps)) and ties each to a net, or to
//! several in order ([`Builder::tap`](super::Builder::tap)); who looks asks the simulator for the tap. So a net may be
//! renamed, and a block moved in the hierarchy, and nobody looks in vain. A tap is no hardware: it keeps no net and is
//! not in the exported Verilog.

/// A declared tap; [`taps!`](crate::taps) makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tap {
    /// Kind of the block that has it.
    pub block: &'static str,
    /// Its name there.
    pub name: &'static str,
}

/// Declares the taps of a kind of block as constants; see the module.
#[macro_export]
macro_rules! taps {
    ($block:literal { $($(#[doc = $about:literal])+ $NAME:ident,)+ }) => {
        $(
            $(#[doc = $about])+
            pub const $NAME: $crate::Tap = $crate::Tap { block: $block, name: stringify!($NAME) };
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
}
