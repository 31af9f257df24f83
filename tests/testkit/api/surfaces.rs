//! Surfaces of arrays, which a kernel writes.

use super::{program::*, *};

/// A surface object.
#[derive(Clone, Copy)]
pub struct Surface {
    handle: u64,
    array: usize,
    /// It has not been destroyed.
    pub(super) alive: bool,
}

/// `cudaResourceDesc` of an array.
#[repr(C)]
struct OfArray {
    kind: i32,
    pointer: usize,
    rest: [u64; 6],
}

impl Sequence {
    pub(super) fn surface(&mut self) -> Result<(), String> {
        let count = self.surfaces.len();
        if count == 0 || self.below(4) == 0 {
            let which = self.below(self.arrays.len().max(1));
            let Some(array) = self.arrays.get(which) else { return self.array() };
            let expected = if array.alive && array.surface { 0 } else { INVALID_VALUE };
            let resource = OfArray { kind: 0, pointer: array.handle, rest: [0; 6] };
            let mut handle = 0;
            // SAFETY: a place, and a description.
            let code = unsafe { cudaCreateSurfaceObject(&raw mut handle, (&raw const resource).cast_mut().cast()) };
            if self.expect(format!("cudaCreateSurfaceObject of array {which}"), code, expected)? {
                self.surfaces.push(Surface { handle, array: which, alive: true });
            }
            return Ok(());
        }
        let which = self.below(count);
        let Surface { handle, array, alive } = self.surfaces[which];
        if self.below(6) == 0 {
            // SAFETY: the runtime has to find out.
            let code = unsafe { cudaDestroySurfaceObject(handle) };
            let expected = if alive { 0 } else { INVALID_VALUE };
            if self.expect(format!("cudaDestroySurfaceObject({handle:#x})"), code, expected)? {
                self.surfaces[which].alive = false;
            }
            return Ok(());
        }
        let of = &self.arrays[array];
        // Who writes what is gone, writes what may be somebody else's.
        if !alive || !of.alive {
            return Ok(());
        }
        let (width, rows, plane) = (of.width, of.height, of.plane);
        // Few programs do that: the device is lost then.
        if !plane && self.below(4) > 0 {
            return Ok(());
        }
        let value = self.random.next_u64() as u32;
        let mut given = [address(&handle), address(&value)];
        let (blocks, threads) = (Dim3 { x: 1, y: rows as u32, z: 1 }, Dim3 { x: width as u32, y: 1, z: 1 });
        // SAFETY: as many arguments as the kernel has.
        let code = unsafe {
            cudaLaunchKernel(address(&FUNCTIONS[4]), blocks, threads, given.as_mut_ptr(), 0, std::ptr::null_mut())
        };
        if !self.stays && !plane {
            self.sticky = LAUNCH_FAILURE;
        }
        let expected = if plane { 0 } else { LAUNCH_FAILURE };
        if !self.expect(format!("draw({handle:#x}, {value}) on {width} x {rows}"), code, expected)? {
            self.stays = true;
            return Ok(());
        }
        for (i, texel) in self.arrays[array].data.chunks_exact_mut(4).enumerate() {
            let before = u32::from_le_bytes(texel.try_into().expect("four"));
            let (x, y) = ((i % width) as u32, (i / width) as u32);
            texel.copy_from_slice(&(before ^ value.wrapping_add(x + 256 * y)).to_le_bytes());
        }
        Ok(())
    }
}
