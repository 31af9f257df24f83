//! Allocations, copies, fills, variables.

use super::{program::*, *};

impl Sequence {
    pub(super) fn malloc(&mut self) -> Result<(), String> {
        let bytes = [0, 1, 4, 60, 64, 100, 256, 1000, 1 << 40, usize::MAX][self.below(10)];
        let wrong = self.below(20) == 0;
        let mut found = std::ptr::null_mut();
        // SAFETY: a place, or none.
        let code = unsafe { cudaMalloc(if wrong { std::ptr::null_mut() } else { &raw mut found }, bytes) };
        let expected = match (wrong, bytes < 1 << 30) {
            (true, _) => INVALID_VALUE,
            (false, true) => 0,
            (false, false) => MEMORY_ALLOCATION,
        };
        if !self.expect(format!("cudaMalloc({found:?}, {bytes})"), code, expected)? {
            return Ok(());
        }
        self.new_region(found as usize, bytes)
    }

    /// Memory that the runtime has given.
    pub(super) fn new_region(&mut self, at: usize, bytes: usize) -> Result<(), String> {
        let apart = |region: &&ApiRegion| {
            region.alive && region.at != 0 && at < region.at + region.data.len() && region.at < at + bytes.max(1)
        };
        if !at.is_multiple_of(256) || at >> 32 != 0x2000 || self.regions.iter().any(|region| apart(&region)) {
            return Err("that is no place for it".into());
        }
        self.regions.push(ApiRegion { at, data: vec![0; bytes], alive: true, variable: false });
        Ok(())
    }

    pub(super) fn free(&mut self) -> Result<(), String> {
        let pointer = self.device();
        let found = self.regions.iter().position(|region| region.alive && region.at == pointer && pointer != 0);
        let found = found.filter(|&i| !self.regions[i].variable);
        let expected = if found.is_some() || pointer == 0 { 0 } else { INVALID_POINTER };
        // SAFETY: the runtime has to find out.
        let code = unsafe { cudaFree(pointer as Pointer) };
        if self.expect(format!("cudaFree({pointer:#x})"), code, expected)?
            && let Some(found) = found
        {
            self.regions[found].alive = false;
        }
        Ok(())
    }

    pub(super) fn copy(&mut self) -> Result<(), String> {
        let (to, from) = (self.pointer(), self.pointer());
        let end = if self.below(2) == 0 { to } else { from };
        let bytes = self.size(end);
        let kind = self.kind(to, from);
        let asynchronous = self.below(3) == 0;
        let (stream, stream_is) = if asynchronous { self.some_stream() } else { (0, true) };
        let mut expected = if stream_is { self.direction(to, from, bytes, kind) } else { INVALID_HANDLE };
        let places = [self.place(to), self.place(from)];
        if expected == 0 && bytes > 0 {
            let stray = |&place: &PointerTarget| Self::is_device(place) && !self.holds(place, bytes);
            if places.iter().any(stray) || self.is_nowhere(to, bytes) || self.is_nowhere(from, bytes) {
                expected = INVALID_POINTER;
            } else if self.hurts(to, bytes) || self.hurts(from, bytes) {
                return Ok(());
            }
        }
        let call = format!("cudaMemcpy({to:#x}, {from:#x}, {bytes}, {kind}, stream {stream:#x})");
        let (to, from) = (to as Pointer, from as Pointer);
        // SAFETY: the host's memory is as long, or the runtime has to find out.
        let code = unsafe {
            match asynchronous {
                true => cudaMemcpyAsync(to, from, bytes, kind, stream as Pointer),
                false => cudaMemcpy(to, from, bytes, kind),
            }
        };
        if self.expect(call, code, expected)? && bytes > 0 {
            let data = self.read(places[1], bytes);
            self.write(places[0], &data);
        }
        Ok(())
    }

    pub(super) fn copy_rows(&mut self) -> Result<(), String> {
        let (to, from) = (self.pointer(), self.pointer());
        let small = |s: &mut Self| s.below(20);
        let (width, mut height) = (small(self), small(self) % 6);
        let (mut to_pitch, mut from_pitch) = (width + small(self), width + small(self));
        match self.below(12) {
            0 => to_pitch = self.below(width + 1),
            1 => from_pitch = usize::MAX / 3,
            2 => height = [1 << 40, usize::MAX][self.below(2)],
            _ => {}
        }
        let kind = self.kind(to, from);
        let mut expected = self.direction(to, from, width.min(height).min(1), kind);
        if width > to_pitch.min(from_pitch) {
            expected = INVALID_PITCH;
        }
        let all = |pitch: usize| {
            (height.max(1) - 1).checked_mul(pitch).and_then(|rows| rows.checked_add(width)).unwrap_or(usize::MAX)
        };
        let places = [self.place(to), self.place(from)];
        if expected == 0 && width > 0 && height > 0 {
            let stray =
                |(place, pitch): (PointerTarget, usize)| Self::is_device(place) && !self.holds(place, all(pitch));
            let nowhere = self.is_nowhere(to, 1) || self.is_nowhere(from, 1);
            if nowhere || stray((places[0], to_pitch)) || stray((places[1], from_pitch)) {
                expected = INVALID_POINTER;
            } else if self.hurts(to, all(to_pitch)) || self.hurts(from, all(from_pitch)) {
                return Ok(());
            }
        }
        let call = format!("cudaMemcpy2D({to:#x}, {to_pitch}, {from:#x}, {from_pitch}, {width}, {height}, {kind})");
        // SAFETY: the host's memory is as long, or the runtime has to find out.
        let code = unsafe { cudaMemcpy2D(to as Pointer, to_pitch, from as Pointer, from_pitch, width, height, kind) };
        if self.expect(call, code, expected)? && width > 0 {
            for row in 0..height {
                let data = self.read(self.place(from + row * from_pitch), width);
                self.write(self.place(to + row * to_pitch), &data);
            }
        }
        Ok(())
    }

    pub(super) fn fill(&mut self) -> Result<(), String> {
        let to = self.device();
        let value = self.below(300) as i32 - 20;
        let (mut pitch, width, height);
        let rows = self.below(3) == 0;
        if rows {
            (width, height) = (self.below(20), self.below(6));
            pitch = width + self.below(20);
            if self.wrong() {
                pitch = [0, usize::MAX / 2][self.below(2)];
            }
        } else {
            (width, height) = (self.size(to), 1);
            pitch = width;
        }
        let place = self.place(to);
        let all = (height.max(1) - 1).checked_mul(pitch).and_then(|rows| rows.checked_add(width)).unwrap_or(usize::MAX);
        let expected = match () {
            () if width == 0 || height == 0 => 0,
            () if width > pitch => INVALID_VALUE,
            () if Self::is_device(place) && self.holds(place, all) => 0,
            () => INVALID_POINTER,
        };
        // SAFETY: the runtime has to find out.
        let code = unsafe {
            match rows {
                true => cudaMemset2D(to as Pointer, pitch, value, width, height),
                false => cudaMemset(to as Pointer, value, width),
            }
        };
        if self.expect(format!("cudaMemset2D({to:#x}, {pitch}, {value}, {width}, {height})"), code, expected)?
            && width > 0
        {
            for row in 0..height {
                self.write(self.place(to + row * pitch), &vec![value as u8; width]);
            }
        }
        Ok(())
    }

    pub(super) fn symbol(&mut self) -> Result<(), String> {
        let which = self.below(2);
        let wrong = self.wrong();
        let symbol = if wrong { self.host.as_ptr() as Pointer } else { address(&SHADOWS[which]) };
        if self.below(6) == 0 {
            let mut found = std::ptr::null_mut();
            // SAFETY: a place.
            let code = unsafe { cudaGetSymbolAddress(&raw mut found, symbol) };
            let expected = if wrong { INVALID_SYMBOL } else { 0 };
            if self.expect(format!("cudaGetSymbolAddress({which}) {found:?}"), code, expected)? {
                let at = self.regions[which].at;
                if at != 0 && at != found as usize {
                    return Err("it was elsewhere".into());
                }
                self.regions[which].at = found as usize;
            }
            return Ok(());
        }
        let other = self.pointer();
        let writes = self.below(2) == 0;
        let bytes = [0, 4, 16, 60, 64, 65, usize::MAX][self.below(7)];
        let offset = if self.wrong() {
            [65, usize::MAX][self.below(2)]
        } else {
            self.below(64usize.saturating_sub(bytes.min(64)) + 1)
        };
        let device = 0x2000_0000_0000;
        let kind = if writes { self.kind(device, other) } else { self.kind(other, device) };
        let allowed = if writes { [1, 3, 4] } else { [2, 3, 4] };
        let mut expected = match () {
            () if !allowed.contains(&kind) => INVALID_DIRECTION,
            () if wrong => INVALID_SYMBOL,
            () if offset.checked_add(bytes).is_none_or(|end| end > SYMBOL) => INVALID_VALUE,
            () if writes => self.direction(device, other, bytes, kind),
            () => self.direction(other, device, bytes, kind),
        };
        let place = self.place(other);
        if expected == 0 && bytes > 0 {
            if Self::is_device(place) && !self.holds(place, bytes) || self.is_nowhere(other, bytes) {
                expected = INVALID_POINTER;
            } else if self.hurts(other, bytes) {
                return Ok(());
            }
        }
        // SAFETY: the host's memory is as long, or the runtime has to find out.
        let code = unsafe {
            match writes {
                true => cudaMemcpyToSymbol(symbol, other as Pointer, bytes, offset, kind),
                false => cudaMemcpyFromSymbol(other as Pointer, symbol, bytes, offset, kind),
            }
        };
        let call = format!("symbol {which} (wrong: {wrong}, writes: {writes}), {other:#x}, {bytes}, {offset}, {kind}");
        if self.expect(call, code, expected)? && bytes > 0 {
            let own = PointerTarget::Device(which, offset);
            let (to, from) = if writes { (own, place) } else { (place, own) };
            let data = self.read(from, bytes);
            self.write(to, &data);
        }
        Ok(())
    }
}
