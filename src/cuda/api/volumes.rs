//! Memory in three dimensions: slices of rows.

use super::{api, check, memory::PITCH};
use crate::{
    error::{Failure, Status, failure},
    host,
    runtime::Runtime,
};
use libc::{c_int, c_void};

/// `cudaPitchedPtr`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Pitched {
    pointer: *mut c_void,
    pitch: usize,
    width: usize,
    height: usize,
}

/// `cudaExtent`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Bytes, or texels.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Slices.
    pub depth: usize,
}

/// `cudaPos`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Position {
    x: usize,
    y: usize,
    z: usize,
}

/// `cudaMemcpy3DParms`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Copy {
    from_array: *mut c_void,
    from_at: Position,
    from: Pitched,
    to_array: *mut c_void,
    to_at: Position,
    to: Pitched,
    extent: Extent,
    kind: c_int,
}

impl Position {
    /// In an array of slices of `height` rows, which follow each other: the byte of a row, and the row, in a slice beyond this place.
    fn in_slices(&self, slice: usize, texel: usize, (height, extent): (usize, &Extent)) -> Result<[usize; 2], Failure> {
        let slice = self.z.saturating_add(slice);
        let end = self.y.saturating_add(extent.height);
        if slice > 0 && end > height {
            return failure(
                Status::InvalidValue,
                format!("{extent:?} from {self:?} on: the array has {height} rows in a slice"),
            );
        }
        Ok([self.x.saturating_mul(texel), slice.saturating_mul(height).saturating_add(self.y)])
    }
}

impl Pitched {
    /// The row at a position, in a slice beyond it; what is too large for an address space is no place of anybody's.
    fn row(&self, at: Position, slice: usize) -> *mut c_void {
        let slices = at.z.wrapping_add(slice).wrapping_mul(self.height).wrapping_mul(self.pitch);
        self.pointer.wrapping_byte_add(slices.wrapping_add(at.y.wrapping_mul(self.pitch)).wrapping_add(at.x))
    }

    /// It has what is wanted of it.
    fn check(&self, at: Position, extent: Extent, what: &str) -> Result<(), Failure> {
        let fits = |at: usize, count: usize, of: usize| at.checked_add(count).is_some_and(|end| end <= of);
        let rows = extent.depth <= 1 || fits(at.y, extent.height, self.height);
        let bytes = self
            .height
            .max(1)
            .checked_mul(self.pitch)
            .and_then(|slice| at.z.checked_add(extent.depth)?.checked_mul(slice));
        match fits(at.x, extent.width, self.pitch) && rows && bytes.is_some() {
            true => Ok(()),
            false => {
                failure(Status::InvalidValue, format!("{extent:?} from {at:?} on does not fit the {what}, {self:?}"))
            }
        }
    }
}

impl Runtime {
    fn fill_volume(&mut self, to: Pitched, value: c_int, extent: Extent) -> Result<(), Failure> {
        let start = Position { x: 0, y: 0, z: 0 };
        if extent.width == 0 || extent.height == 0 || extent.depth == 0 {
            return Ok(());
        }
        to.check(start, extent, "memory")?;
        for slice in 0..extent.depth {
            self.fill_rows(to.row(start, slice), to.pitch, value, [extent.width, extent.height])?;
        }
        Ok(())
    }

    /// # Safety
    /// Host memory is as long.
    pub unsafe fn copy_volume(&mut self, copy: *const Copy) -> Result<(), Failure> {
        let copy = host::read(copy, "the parameters of the copy")?;
        let Copy { from_array, from_at, from, to_array, to_at, to, extent, kind } = &copy;
        if (from_array.is_null() == from.pointer.is_null()) || (to_array.is_null() == to.pointer.is_null()) {
            return failure(Status::InvalidValue, "source and destination are an array or a pointer each, not both");
        }
        if extent.width == 0 || extent.height == 0 || extent.depth == 0 {
            return Ok(());
        }
        let rows = [extent.width, extent.height];
        match (from_array.is_null(), to_array.is_null()) {
            (true, true) => {
                from.check(*from_at, *extent, "source")?;
                to.check(*to_at, *extent, "destination")?;
                for slice in 0..extent.depth {
                    let ends =
                        ((to.row(*to_at, slice), to.pitch), (from.row(*from_at, slice).cast_const(), from.pitch));
                    // SAFETY: as promised.
                    unsafe { self.copy_rows(ends.0, ends.1, rows, *kind)? };
                }
                Ok(())
            }
            (true, false) => {
                let (texel, height) = self.texel_and_rows(*to_array)?;
                let rows = [extent.width.saturating_mul(texel), extent.height];
                from.check(*from_at, Extent { width: rows[0], ..*extent }, "source")?;
                for slice in 0..extent.depth {
                    let from = (from.row(*from_at, slice).cast_const(), from.pitch);
                    let at = to_at.in_slices(slice, texel, (height, extent))?;
                    // SAFETY: as promised.
                    unsafe { self.write_array(*to_array, at, from, rows, *kind)? };
                }
                Ok(())
            }
            (false, true) => {
                let (texel, height) = self.texel_and_rows(*from_array)?;
                let rows = [extent.width.saturating_mul(texel), extent.height];
                to.check(*to_at, Extent { width: rows[0], ..*extent }, "destination")?;
                for slice in 0..extent.depth {
                    let to = (to.row(*to_at, slice), to.pitch);
                    let at = from_at.in_slices(slice, texel, (height, extent))?;
                    // SAFETY: as promised.
                    unsafe { self.read_array(to, *from_array, at, rows, *kind)? };
                }
                Ok(())
            }
            (false, false) => failure(Status::NotSupported, "from array to array: cudaMemcpyArrayToArray does so"),
        }
    }
}

api! {
    /// Slices of rows of memory of the device.
    fn cudaMalloc3D(pitched: *mut Pitched, extent: Extent) |runtime| {
        check(pitched)?;
        let Extent { width, height, depth } = extent;
        let pitch = width.checked_next_multiple_of(PITCH);
        let bytes = pitch.and_then(|pitch| pitch.checked_mul(height)?.checked_mul(depth));
        let (Some(pitch), Some(bytes)) = (pitch, bytes) else {
            return failure(Status::MemoryAllocation, format!("no room for {extent:?}"));
        };
        let pointer = runtime.session()?.memory.allocate(bytes, 1)? as *mut c_void;
        // SAFETY: as in C.
        unsafe { super::give(pitched, Pitched { pointer, pitch, width, height }) }
    }

    /// Fills with a byte.
    fn cudaMemset3D(to: Pitched, value: c_int, extent: Extent) |runtime| { runtime.fill_volume(to, value, extent) }

    /// Fills with a byte, at once.
    fn cudaMemset3DAsync(to: Pitched, value: c_int, extent: Extent, stream: *mut c_void) |runtime| {
        runtime.stream(stream)?;
        runtime.fill_volume(to, value, extent)
    }

    /// Copies slices of rows.
    fn cudaMemcpy3D(copy: *const Copy) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.copy_volume(copy) }
    }

    /// Copies slices of rows, at once.
    fn cudaMemcpy3DAsync(copy: *const Copy, stream: *mut c_void) |runtime| {
        runtime.stream(stream)?;
        // SAFETY: as in C.
        unsafe { runtime.copy_volume(copy) }
    }
}
