//! Variables of the device, by the address of their shadows in the host's code.

use super::{
    api, check, give,
    memory::{BY_POINTERS, DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE},
};
use crate::{
    error::{Failure, Status, failure},
    host::{self, HostAccess},
    registry::Variable,
    runtime::{Runtime, is_device},
};
use libc::{c_int, c_void};

impl Runtime {
    /// A variable, of which `bytes` from `offset` on are there.
    fn part(&mut self, symbol: *const c_void, offset: usize, bytes: usize) -> Result<Variable, Failure> {
        self.session()?;
        let variable = self.registry.variable(symbol as usize)?;
        match offset.checked_add(bytes).is_some_and(|end| end <= variable.bytes) {
            true => Ok(variable),
            false => failure(
                Status::InvalidValue,
                format!("`{}` has {} bytes, not {bytes} from {offset} on", variable.name.name, variable.bytes),
            ),
        }
    }

    /// Where copies find a variable: in the device's memory, or in the host's if it is managed; nowhere, if it is a constant that nobody has asked for.
    fn found(&mut self, symbol: *const c_void, variable: &Variable) -> Result<Option<u64>, Failure> {
        let module = &self.registry.modules[variable.name.module];
        match (variable.managed, variable.constant) {
            (true, _) => Ok(Some(symbol as u64)),
            (false, true) => Ok(module.constant_places.get(&variable.name.name).copied()),
            (false, false) => self.place(variable).map(Some),
        }
    }

    /// A pointer to a variable.
    pub(super) fn place(&mut self, variable: &Variable) -> Result<u64, Failure> {
        let target = self.target()?;
        let (registry, session) = self.parts()?;
        let module = &mut registry.modules[variable.name.module];
        if variable.constant {
            return module.constant_place(&variable.name.name, variable.bytes, &mut session.memory, &target);
        }
        module.global(&variable.name.name, variable.bytes, &mut session.memory, &target)
    }

    /// What a constant holds.
    fn constant(&mut self, variable: &Variable) -> Result<&mut Vec<u8>, Failure> {
        let target = self.target()?;
        let (registry, _) = self.parts()?;
        Ok(registry.modules[variable.name.module].constant(&variable.name.name, variable.bytes, &target))
    }

    /// # Safety
    /// Host memory is as long.
    unsafe fn write_symbol(
        &mut self,
        symbol: *const c_void,
        from: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
    ) -> Result<(), Failure> {
        if !matches!(kind, HOST_TO_DEVICE | DEVICE_TO_DEVICE | BY_POINTERS) {
            return failure(Status::InvalidMemcpyDirection, "to a variable of the device from the host or the device");
        }
        let variable = self.part(symbol, offset, bytes)?;
        if let Some(place) = self.found(symbol, &variable)? {
            let at = place + offset as u64;
            // SAFETY: as promised.
            return unsafe { self.copy(at as *mut c_void, from, bytes, kind) };
        }
        self.other_end(from, bytes, kind, true)?;
        if bytes == 0 {
            return Ok(());
        }
        let data = if is_device(from) && !self.managed_at(from as u64, bytes) {
            self.session()?.memory.bytes(from as u64, bytes)?.to_vec()
        } else if from.is_null() {
            return failure(Status::InvalidValue, "the source is a null pointer");
        } else {
            host::check(from, bytes, HostAccess::Read)?;
            // SAFETY: it can be read.
            unsafe { std::slice::from_raw_parts(from.cast::<u8>(), bytes) }.to_vec()
        };
        let constant = self.constant(&variable)?;
        let Some(place) = constant.get_mut(offset..offset + bytes) else {
            return failure(Status::InvalidSymbol, format!("`{}` has another size on the device", variable.name.name));
        };
        place.copy_from_slice(&data);
        Ok(())
    }

    /// # Safety
    /// Host memory is as long.
    unsafe fn read_symbol(
        &mut self,
        to: *mut c_void,
        symbol: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
    ) -> Result<(), Failure> {
        if !matches!(kind, DEVICE_TO_HOST | DEVICE_TO_DEVICE | BY_POINTERS) {
            return failure(Status::InvalidMemcpyDirection, "from a variable of the device to the host or the device");
        }
        let variable = self.part(symbol, offset, bytes)?;
        if let Some(place) = self.found(symbol, &variable)? {
            let at = place + offset as u64;
            // SAFETY: as promised.
            return unsafe { self.copy(to, at as *const c_void, bytes, kind) };
        }
        self.other_end(to, bytes, kind, false)?;
        if bytes == 0 {
            return Ok(());
        }
        let constant = self.constant(&variable)?;
        let data = constant.get(offset..offset + bytes).unwrap_or_default().to_vec();
        // SAFETY: as promised.
        unsafe { self.copy(to, data.as_ptr().cast(), data.len(), BY_POINTERS) }
    }
}

api! {
    /// Copies to a variable.
    fn cudaMemcpyToSymbol(symbol: *const c_void, from: *const c_void, bytes: usize, offset: usize, kind: c_int) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.write_symbol(symbol, from, bytes, offset, kind) }
    }
    /// Copies to a variable, at once.
    fn cudaMemcpyToSymbolAsync(symbol: *const c_void, from: *const c_void, bytes: usize, offset: usize, kind: c_int, stream: *mut c_void) |runtime| {
        let (symbol, from) = (symbol as usize, from as usize);
        // SAFETY: as in C.
        runtime.on_stream(stream, move |runtime| unsafe { runtime.write_symbol(symbol as *const c_void, from as *const c_void, bytes, offset, kind) })
    }
    /// Copies from a variable.
    fn cudaMemcpyFromSymbol(to: *mut c_void, symbol: *const c_void, bytes: usize, offset: usize, kind: c_int) |runtime| {
        // SAFETY: as in C.
        unsafe { runtime.read_symbol(to, symbol, bytes, offset, kind) }
    }
    /// Copies from a variable, at once.
    fn cudaMemcpyFromSymbolAsync(to: *mut c_void, symbol: *const c_void, bytes: usize, offset: usize, kind: c_int, stream: *mut c_void) |runtime| {
        let (to, symbol) = (to as usize, symbol as usize);
        // SAFETY: as in C.
        runtime.on_stream(stream, move |runtime| unsafe { runtime.read_symbol(to as *mut c_void, symbol as *const c_void, bytes, offset, kind) })
    }
    /// Where a variable is in global memory.
    fn cudaGetSymbolAddress(pointer: *mut *mut c_void, symbol: *const c_void) |runtime| {
        let variable = runtime.part(symbol, 0, 0)?;
        check(pointer)?;
        let at = if variable.managed { symbol as u64 } else { runtime.place(&variable)? };
        // SAFETY: as in C.
        unsafe { give(pointer, at as *mut c_void) }
    }
    /// Its size.
    fn cudaGetSymbolSize(bytes: *mut usize, symbol: *const c_void) |runtime| {
        let variable = runtime.part(symbol, 0, 0)?;
        // SAFETY: as in C.
        unsafe { give(bytes, variable.bytes) }
    }
}
