//! Which bits and ports the fields of a bundle are.

use super::{ids::NetId, source::Source, values::Values};

/// A field of a bundle with its width under some parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Name, as in the source and as the last part of a port's name.
    pub name: &'static str,
    /// Bits; 0: the field does not exist with these parameters.
    pub width: u32,
    /// Names of its values, if they have some.
    pub values: Option<Values>,
    /// What it means ([`plain_text`](crate::plain_text)); empty where nothing is said.
    pub about: &'static str,
}

/// Ports of a block that were declared as one bundle.
#[derive(Clone, Debug)]
pub struct PortGroup {
    /// Name of the bundle in the block, which its ports begin with.
    pub name: String,
    /// Name of the struct.
    pub bundle: &'static str,
    /// The fields that have bits.
    pub fields: Vec<Field>,
    /// Input ports, or output ports.
    pub inputs: bool,
    /// Where they are declared.
    pub source: Source,
}

/// What the bits of a net are: a bundle in one word.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// The net.
    pub net: NetId,
    /// The bit of the net that the last field begins at.
    pub lo: u32,
    /// The fields that have bits, the first one in the most significant.
    pub fields: Vec<Field>,
}

impl Layout {
    /// Of each field: the bit of the net that it begins at, and the field.
    pub fn places(&self) -> impl Iterator<Item = (u32, Field)> {
        let mut above = self.lo + self.fields.iter().map(|field| field.width).sum::<u32>();
        self.fields.iter().map(move |&field| {
            above -= field.width;
            (above, field)
        })
    }
}
