//! The state of a run that has begun: whatever the cycles so far have made of chip, DRAM and measurements.
//!
//! Each part with a state of its own is [`Stateful`]. What follows from chip and launch is not saved, and maps are
//! written in order, so equal states are equal bytes, whatever engine, threads or passes have made them.

use hdl::Bits;
use serde::{Serialize, de::DeserializeOwned};

/// Collects the state of parts, one after the other.
#[derive(Default)]
pub struct StateWriter(Vec<u8>);

/// Gives it back in the same order.
pub struct StateReader<'b>(&'b [u8]);

/// Bytes that are not the state of this part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the saved state is damaged")]
pub struct DamagedState;

/// A part with a state.
pub trait Stateful {
    /// Appends the state.
    fn save(&self, to: &mut StateWriter);

    /// Continues from a state of the same part; after an error the part is of no use.
    ///
    /// # Errors
    /// When it is not one.
    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState>;
}

impl StateWriter {
    /// Appends a value.
    pub fn put<T: Serialize + ?Sized>(&mut self, value: &T) {
        let bytes = std::mem::take(&mut self.0);
        self.0 = postcard::to_extend(value, bytes).expect("numbers, texts and lists of known length can be written");
    }

    /// Appends bytes, many of them.
    pub fn put_bytes(&mut self, bytes: &[u8]) {
        self.put(&bytes.len());
        self.0.extend_from_slice(bytes);
    }

    /// All of it.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl<'b> StateReader<'b> {
    /// Of what a writer has collected.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// The next value.
    ///
    /// # Errors
    /// When there is none of this kind.
    pub fn take<T: DeserializeOwned>(&mut self) -> Result<T, DamagedState> {
        let (value, rest) = postcard::take_from_bytes(self.0).map_err(|_| DamagedState)?;
        self.0 = rest;
        Ok(value)
    }

    /// The next bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn take_bytes(&mut self) -> Result<&'b [u8], DamagedState> {
        let length = self.take()?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(DamagedState)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// Nothing may be left.
    ///
    /// # Errors
    /// When something is.
    pub fn end(self) -> Result<(), DamagedState> {
        if self.0.is_empty() { Ok(()) } else { Err(DamagedState) }
    }
}

/// A number of bits as it is saved: width and words.
pub type SavedBits = (u32, Vec<u64>);

/// To be saved.
pub fn saved_bits(bits: &Bits) -> SavedBits {
    (bits.width(), bits.words().to_vec())
}

/// As it was.
pub fn restored_bits((width, words): &SavedBits) -> Bits {
    Bits::from_words(*width, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_in_order_and_anything_else_is_damage() {
        let mut writer = StateWriter::default();
        writer.put(&(7u64, Some(-3i64), "text"));
        writer.put_bytes(&[1, 2, 3]);
        writer.put(&saved_bits(&Bits::new(70, 5)));
        let bytes = writer.into_bytes();
        let mut reader = StateReader::new(&bytes);
        assert_eq!(reader.take(), Ok((7u64, Some(-3i64), "text".to_string())));
        assert_eq!(reader.take_bytes(), Ok(&[1, 2, 3][..]));
        assert_eq!(reader.take().map(|saved| restored_bits(&saved)), Ok(Bits::new(70, 5)));
        assert_eq!(reader.take::<u8>(), Err(DamagedState));
        assert_eq!(reader.end(), Ok(()));
        for length in 0..bytes.len() {
            let mut cut = StateReader::new(&bytes[..length]);
            let all = cut.take::<(u64, Option<i64>, String)>().and_then(|_| cut.take_bytes());
            assert_eq!(all.and_then(|_| cut.take::<SavedBits>()), Err(DamagedState), "{length}");
        }
        assert_eq!(StateReader::new(&[0]).end(), Err(DamagedState));
    }
}
