//! What a linker of the driver interface has been given: PTX, which is its image, too.

use crate::error::{Failure, Status, failure};
use libc::c_int;

/// `CU_JIT_INPUT_PTX`.
const PTX: c_int = 1;

/// What has been given to a linker.
#[derive(Debug, Default)]
pub struct LinkerInput {
    text: Option<String>,
    /// What it was completed to, with a zero behind it: it stays where it is.
    image: Vec<u8>,
}

impl LinkerInput {
    /// Adds a file of this kind.
    ///
    /// # Errors
    /// When it is not PTX, and when there is a file already.
    pub fn add(&mut self, kind: c_int, text: String) -> Result<(), Failure> {
        if kind != PTX {
            return failure(Status::NotSupported, "machine code: the chip runs PTX (CU_JIT_INPUT_PTX)");
        }
        if self.text.is_some() {
            return failure(Status::NotSupported, "several files of PTX: give one to each linker");
        }
        self.text = Some(text);
        Ok(())
    }

    /// The image: the text and a zero.
    ///
    /// # Errors
    /// When nothing was added.
    pub fn complete(&mut self) -> Result<&mut [u8], Failure> {
        let Some(text) = &self.text else { return failure(Status::InvalidValue, "nothing to link") };
        self.image = text.bytes().chain([0]).collect();
        Ok(&mut self.image)
    }
}
