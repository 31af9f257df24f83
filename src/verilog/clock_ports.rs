//! Where the clock and the reset of a domain come in.

/// The ports of a clock domain; a module has those that it uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockPorts {
    /// The domain.
    pub domain: String,
    /// Its clock port.
    pub clock: Option<String>,
    /// Its reset port.
    pub reset: Option<String>,
}
