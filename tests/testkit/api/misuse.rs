//! Calls that no program should make: memory of nobody, twice, of another kind, after a reset. Each is an error of the
//! call.

use super::{program::*, *};

/// Bytes that are registered together.
pub(super) const PART: usize = 256;

impl Sequence {
    /// Somebody's pointer, mostly the wrong one.
    fn foreign(&mut self) -> usize {
        match self.below(4) {
            0 => NOWHERE[self.below(4)],
            1 if !self.pinned.is_empty() => {
                let which = self.below(self.pinned.len());
                self.pinned[which].0 + [0, 0, 0, 8][self.below(4)]
            }
            2 => self.pointer(),
            _ => [0, 1, usize::MAX][self.below(3)],
        }
    }

    pub(super) fn misuse(&mut self) -> Result<(), String> {
        match self.below(6) {
            0 => self.give_host_memory(),
            1 | 2 => self.free_host_memory(),
            3 => self.register_host_memory(),
            4 => self.result_without_place(),
            _ => self.free_foreign(),
        }
    }

    fn give_host_memory(&mut self) -> Result<(), String> {
        let bytes = [0, 1, 100, 5000, 1 << 50, usize::MAX][self.below(6)];
        let mut found = std::ptr::null_mut();
        let flags = if self.below(5) == 0 { 64 } else { 0 };
        // SAFETY: a place.
        let code = unsafe { cudaHostAlloc(&raw mut found, bytes, flags) };
        let expected = match () {
            () if flags != 0 => INVALID_VALUE,
            () if bytes > 1 << 40 => MEMORY_ALLOCATION,
            () => 0,
        };
        if self.expect(format!("cudaHostAlloc({found:?}, {bytes}, {flags})"), code, expected)? {
            // SAFETY: it is as long.
            unsafe { found.cast::<u8>().write_bytes(7, bytes) };
            self.pinned.push((found as usize, true));
        }
        Ok(())
    }

    fn free_host_memory(&mut self) -> Result<(), String> {
        let pointer = self.foreign();
        let which = self.pinned.iter().rposition(|&(at, alive)| at == pointer && alive);
        let expected = if which.is_some() || pointer == 0 { 0 } else { INVALID_VALUE };
        // SAFETY: the runtime has to find out.
        let code = unsafe { cudaFreeHost(pointer as Pointer) };
        if self.expect(format!("cudaFreeHost({pointer:#x})"), code, expected)?
            && let Some(which) = which
        {
            self.pinned[which].1 = false;
        }
        Ok(())
    }

    fn register_host_memory(&mut self) -> Result<(), String> {
        let start = self.host.as_ptr() as usize;
        let pointer = if self.below(4) == 0 { NOWHERE[self.below(4)] } else { start + self.below(4) * PART };
        let (registers, known) = (self.below(2) == 0, self.registered.iter().position(|&at| at == pointer));
        // SAFETY: the runtime has to find out.
        let code = unsafe {
            match registers {
                true => cudaHostRegister(pointer as Pointer, PART, 0),
                false => cudaHostUnregister(pointer as Pointer),
            }
        };
        let expected = match (registers, known) {
            (true, _) if NOWHERE.contains(&pointer) => INVALID_VALUE,
            (true, Some(_)) => ALREADY_REGISTERED,
            (false, None) => NOT_REGISTERED,
            _ => 0,
        };
        if self.expect(format!("cudaHostRegister({pointer:#x}), registers: {registers}"), code, expected)? {
            match known {
                Some(known) => _ = self.registered.remove(known),
                None => self.registered.push(pointer),
            }
        }
        Ok(())
    }

    /// A result, or what the call needs, is where nothing is.
    fn result_without_place(&mut self) -> Result<(), String> {
        let nowhere = if self.below(5) == 0 { 0 } else { NOWHERE[self.below(4)] };
        let to = nowhere as *mut Pointer;
        let (first, shape) = (self.device(), Dim3 { x: 1, y: 1, z: 1 });
        // SAFETY: the runtime has to find out.
        let (call, code) = unsafe {
            match self.below(6) {
                0 => ("cudaMalloc", cudaMalloc(to, 64)),
                1 => ("cudaStreamCreate", cudaStreamCreate(to)),
                2 => ("cudaEventCreate", cudaEventCreate(to)),
                3 => ("cudaGetSymbolAddress", cudaGetSymbolAddress(to, address(&SHADOWS[0]))),
                4 => ("arguments", cudaLaunchKernel(address(&FUNCTIONS[0]), shape, shape, to, 0, std::ptr::null_mut())),
                _ => {
                    let mut given = [address(&first), nowhere as Pointer, nowhere as Pointer];
                    let args = given.as_mut_ptr();
                    ("argument", cudaLaunchKernel(address(&FUNCTIONS[0]), shape, shape, args, 0, std::ptr::null_mut()))
                }
            }
        };
        self.expect(format!("{call} at {nowhere:#x}"), code, INVALID_VALUE).map(drop)
    }

    /// Frees memory of the host, or of nobody, as memory of the device.
    fn free_foreign(&mut self) -> Result<(), String> {
        let pointer = loop {
            let pointer = self.foreign();
            if pointer != 0 && !Self::is_device(self.place(pointer)) {
                break pointer;
            }
        };
        // SAFETY: the runtime has to find out.
        let code = unsafe { cudaFree(pointer as Pointer) };
        self.expect(format!("cudaFree({pointer:#x})"), code, INVALID_VALUE).map(drop)
    }

    /// Everything of the device is gone; memory of the host is there.
    pub(super) fn reset(&mut self) -> Result<(), String> {
        // SAFETY: no arguments.
        let code = unsafe { cudaDeviceReset() };
        self.stays = false;
        self.expect("cudaDeviceReset".into(), code, 0)?;
        self.last = 0;
        // What is used after it is nobody's, at first.
        let mut earlier: Vec<ApiRegion> =
            self.regions.drain(..).map(|region| ApiRegion { alive: false, ..region }).collect();
        self.variables();
        // A variable that kernels use is again where they expect it.
        self.regions[0].at = earlier.remove(0).at;
        self.regions.extend(earlier.into_iter().filter(|region| region.at != 0));
        self.arrays.iter_mut().for_each(|array| array.alive = false);
        self.streams.iter_mut().for_each(|stream| stream.1 = false);
        self.events.iter_mut().for_each(|event| event.1 = false);
        self.graphs.iter_mut().for_each(|graph| graph.alive = false);
        self.pools.iter_mut().for_each(|pool| pool.1 = false);
        self.surfaces.iter_mut().for_each(|surface| surface.alive = false);
        (self.bound, self.registered) = (None, vec![]);
        Ok(())
    }
}
