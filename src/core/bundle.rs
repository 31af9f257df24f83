//! Named fields packed into one signal, for words that travel together through registers and memories; and rows of lanes.

use crate::hdl::{Signal, concat};

/// Layout of a packed word: field names and widths, most significant first.
pub struct Bundle(Vec<(&'static str, u32)>);

impl Bundle {
    /// A word with the given fields.
    pub fn new(fields: Vec<(&'static str, u32)>) -> Self {
        Self(fields)
    }

    /// Bits of the packed word.
    pub fn width(&self) -> u32 {
        self.0.iter().map(|f| f.1).sum()
    }

    /// The packed word; `values` names every field once, in any order.
    #[track_caller]
    pub fn pack<'m>(&self, values: &[(&str, Signal<'m>)]) -> Signal<'m> {
        assert_eq!(values.len(), self.0.len(), "a packed word has a value for every field");
        let parts: Vec<_> = self
            .0
            .iter()
            .map(|(name, width)| {
                let value = values.iter().find(|v| v.0 == *name).expect("every field has a value").1;
                let message = format!("field {name} has {width} bits, its value {}", value.width());
                value.builder().require(value.width() == *width, &message);
                value
            })
            .collect();
        concat(&parts)
    }

    /// Field `name` of a packed word.
    #[track_caller]
    pub fn get<'m>(&self, word: Signal<'m>, name: &str) -> Signal<'m> {
        let mut low = self.width();
        for (field, width) in &self.0 {
            low -= width;
            if *field == name {
                return word.bits(low, *width);
            }
        }
        panic!("a packed word has the field {name} that is asked for");
    }
}

/// The items joined, the first one least significant: lane 0, warp 0, ... in the low bits.
#[track_caller]
pub fn row<'m>(items: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
    let mut items: Vec<_> = items.into_iter().collect();
    items.reverse();
    concat(&items)
}
