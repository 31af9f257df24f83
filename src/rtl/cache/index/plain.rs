//! The low bits of the line's number.

use super::IndexPolicy;
use hdl::Signal;

/// See the [module documentation](self).
pub struct Plain;

impl IndexPolicy for Plain {
    fn mix<'m>(&self, _line: Signal<'m>, _bits: u32) -> Option<Signal<'m>> {
        None
    }
}
