//! Flows: who sends packets to whom.

use super::MessageClass;

/// Packets of one class from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Flow {
    /// Their message class.
    pub class: MessageClass,
    /// Node that sends.
    pub source: u32,
    /// Node that receives.
    pub dest: u32,
}
