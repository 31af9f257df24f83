//! Streams, events, arrays.

use super::{program::*, *};

impl Sequence {
    pub(super) fn some_stream(&mut self) -> (usize, bool) {
        match (self.below(6), self.streams.len()) {
            (0, _) => (0x77, false),
            (1, _) | (_, 0) => (self.below(3), true),
            (_, count) => {
                let which = self.below(count);
                self.streams[which]
            }
        }
    }

    pub(super) fn stream(&mut self) -> Result<(), String> {
        let mut stream = std::ptr::null_mut();
        let (some, alive) = self.some_stream();
        let expected = if alive { 0 } else { INVALID_HANDLE };
        match self.below(3) {
            0 => {
                // SAFETY: a place.
                let code = unsafe { cudaStreamCreate(&raw mut stream) };
                if self.expect("cudaStreamCreate".into(), code, 0)? {
                    self.streams.push((stream as usize, true));
                }
            }
            1 => {
                // SAFETY: the runtime has to find out.
                let code = unsafe { cudaStreamSynchronize(some as Pointer) };
                self.expect(format!("cudaStreamSynchronize({some:#x})"), code, expected)?;
            }
            _ => {
                // SAFETY: the runtime has to find out.
                let code = unsafe { cudaStreamDestroy(some as Pointer) };
                // Those of the language cannot be destroyed.
                let expected = if some < 3 { INVALID_HANDLE } else { expected };
                if self.expect(format!("cudaStreamDestroy({some:#x})"), code, expected)? {
                    self.streams.iter_mut().filter(|stream| stream.0 == some).for_each(|stream| stream.1 = false);
                }
            }
        }
        Ok(())
    }

    pub(super) fn event(&mut self) -> Result<(), String> {
        let mut event = std::ptr::null_mut();
        let none = (0x88, false, false);
        let some = |s: &mut Self| match (s.below(6), s.events.len()) {
            (0, _) | (_, 0) => none,
            (_, count) => {
                let which = s.below(count);
                s.events[which]
            }
        };
        let (one, other) = (some(self), some(self));
        let of = |event: (usize, bool, bool)| if event.1 { 0 } else { INVALID_HANDLE };
        match self.below(4) {
            0 => {
                // SAFETY: a place.
                let code = unsafe { cudaEventCreate(&raw mut event) };
                if self.expect("cudaEventCreate".into(), code, 0)? {
                    self.events.push((event as usize, true, false));
                }
            }
            1 => {
                // SAFETY: the runtime has to find out.
                let code = unsafe { cudaEventRecord(one.0 as Pointer, std::ptr::null_mut()) };
                if self.expect(format!("cudaEventRecord({:#x})", one.0), code, of(one))? {
                    self.events.iter_mut().filter(|event| event.0 == one.0).for_each(|event| event.2 = true);
                }
            }
            2 => {
                let mut milliseconds = -1.0;
                let code =
                    // SAFETY: the runtime has to find out.
                    unsafe { cudaEventElapsedTime(&raw mut milliseconds, one.0 as Pointer, other.0 as Pointer) };
                let expected = if one.1 && one.2 && other.1 && other.2 { 0 } else { INVALID_HANDLE };
                let call = format!("cudaEventElapsedTime({:#x}, {:#x})", one.0, other.0);
                if self.expect(call, code, expected)? && milliseconds != 0.0 {
                    return Err("emulated launches take no time".into());
                }
            }
            _ => {
                // SAFETY: the runtime has to find out.
                let code = unsafe { cudaEventDestroy(one.0 as Pointer) };
                if self.expect(format!("cudaEventDestroy({:#x})", one.0), code, of(one))? {
                    self.events.iter_mut().filter(|event| event.0 == one.0).for_each(|event| event.1 = false);
                }
            }
        }
        Ok(())
    }

    pub(super) fn array(&mut self) -> Result<(), String> {
        let count = self.arrays.len();
        if count == 0 || self.below(4) == 0 {
            let (width, height) = ([0, 1, 5, 16, 1 << 40][self.below(5)], [0, 1, 3, 1 << 40][self.below(4)]);
            let desc = if self.wrong() { None } else { Some(FLOAT) };
            let mut array = std::ptr::null_mut();
            let surface = self.below(2) == 0;
            let pointer = desc.as_ref().map_or(std::ptr::null(), |desc| &raw const *desc);
            // SAFETY: a place.
            let code = unsafe { cudaMallocArray(&raw mut array, pointer, width, height, 2 * u32::from(surface)) };
            let expected = match () {
                () if desc.is_none() => INVALID_CHANNELS,
                () if width == 0 || width > 1 << 20 || height > 1 << 20 => INVALID_VALUE,
                () => 0,
            };
            if self.expect(format!("cudaMallocArray({array:?}, {width}, {height})"), code, expected)? {
                let data = vec![0; 4 * width * height.max(1)];
                let (plane, height) = (height > 0, height.max(1));
                self.arrays.push(ApiArray { handle: array as usize, alive: true, width, height, plane, surface, data });
            }
            return Ok(());
        }
        let which = self.below(count);
        let ApiArray { handle, alive, width, height, .. } = self.arrays[which];
        if self.below(6) == 0 {
            // SAFETY: the runtime has to find out.
            let code = unsafe { cudaFreeArray(handle as Pointer) };
            if self.expect(format!("cudaFreeArray({handle:#x})"), code, if alive { 0 } else { INVALID_VALUE })? {
                self.arrays[which].alive = false;
            }
            return Ok(());
        }
        // Whole rows from one on.
        let row = self.below(height);
        let mut rows = 1 + self.below(height - row);
        let out = self.wrong();
        if out {
            rows = height + 1;
        }
        let (bytes, other) = (4 * width * rows, self.pointer());
        let device = 0x2000_0000_0000;
        let writes = self.below(2) == 0;
        let kind = if writes { self.kind(device, other) } else { self.kind(other, device) };
        let place = self.place(other);
        let mut expected = match () {
            () if !alive => INVALID_VALUE,
            () if out => INVALID_VALUE,
            () if writes => self.direction(device, other, bytes, kind),
            () => self.direction(other, device, bytes, kind),
        };
        let stray = Self::is_device(place) && !self.holds(place, bytes) && bytes > 0;
        if expected == 0 && (stray || self.is_nowhere(other, bytes)) {
            expected = INVALID_POINTER;
        } else if expected == 0 && self.hurts(other, bytes) {
            return Ok(());
        }
        // SAFETY: the host's memory is as long, or the runtime has to find out.
        let code = unsafe {
            match writes {
                true => cudaMemcpyToArray(handle as Pointer, 0, row, other as Pointer, bytes, kind),
                false => cudaMemcpyFromArray(other as Pointer, handle as Pointer, 0, row, bytes, kind),
            }
        };
        let call = format!("array {handle:#x} (writes: {writes}), row {row}, {other:#x}, {bytes}, {kind}");
        if self.expect(call, code, expected)? {
            let start = 4 * width * row;
            if writes {
                let data = self.read(place, bytes);
                self.arrays[which].data[start..start + bytes].copy_from_slice(&data);
            } else {
                let data = self.arrays[which].data[start..start + bytes].to_vec();
                self.write(place, &data);
            }
        }
        Ok(())
    }
}
