//! Launches: from what the host's stub gives to a call of the session.

use crate::{
    error::{Failure, Status, failure},
    host::{self, HostAccess},
    interrupt::SignalWatch,
    print,
    registry::Variable,
    runtime::Runtime,
};
use libc::{c_char, c_int, c_void};
use measure::session::KernelCall;
use std::ffi::{CStr, CString};

/// A dim3 of the host, as it is passed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Dim3 {
    /// In x.
    pub x: u32,
    /// In y.
    pub y: u32,
    /// In z.
    pub z: u32,
}

impl Dim3 {
    fn array(self) -> [u32; 3] {
        [self.x, self.y, self.z]
    }
}

/// What stands between `<<<` and `>>>`, and with the old way to launch the arguments that followed.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// Bytes of dynamic shared memory.
    pub shared: usize,
    /// The stream.
    pub stream: usize,
    /// Bytes of arguments by their offsets.
    pub arguments: Vec<u8>,
}

/// Where the arguments of a launch are.
pub enum Arguments<'a> {
    /// A pointer to each.
    Pointers(*mut *mut c_void),
    /// All of them, each at a multiple of its alignment.
    Bytes(&'a [u8]),
}

impl Runtime {
    /// Launches a kernel, and waits for its end.
    ///
    /// # Safety
    /// Pointers to arguments point to as many bytes as the kernel's parameters have.
    pub unsafe fn launch(
        &mut self,
        function: usize,
        configuration: &Configuration,
        arguments: &Arguments,
    ) -> Result<(), Failure> {
        if self.is_captured(configuration.stream) {
            self.session()?;
            // SAFETY: as above.
            let step = unsafe { self.launch_step(function, configuration, arguments)? };
            return self.keep(configuration.stream, step);
        }
        let launched = self.session()?.launched();
        // SAFETY: as above.
        let outcome = unsafe { self.try_launch(function, configuration, arguments) };
        if outcome.is_err() && self.session()?.launched() == launched {
            let name = self.registry.kernel_name(function).map_or("?".into(), readable);
            self.session()?.refuse(name);
        }
        outcome
    }

    /// What each parameter of a kernel is given.
    ///
    /// # Safety
    /// As that of [`Self::launch`].
    unsafe fn arguments(&self, function: usize, arguments: &Arguments) -> Result<Vec<Vec<u8>>, Failure> {
        let (_, kernel) = self.registry.kernel(function)?;
        let sizes = kernel.params.iter().map(|param| (param.argument_offset as usize, param.size as usize));
        match arguments {
            Arguments::Pointers(pointers) => {
                let mut args = vec![];
                for (i, (_, size)) in sizes.enumerate() {
                    let arg = host::read(pointers.wrapping_add(i), "arguments")?;
                    if arg.is_null() {
                        return failure(Status::InvalidValue, format!("argument {i} is given by a null pointer"));
                    }
                    host::check(arg, size, HostAccess::Read)?;
                    // SAFETY: it can be read.
                    args.push(unsafe { std::slice::from_raw_parts(arg.cast::<u8>(), size) }.to_vec());
                }
                Ok(args)
            }
            Arguments::Bytes(bytes) => {
                let given = sizes.map(|(offset, size)| bytes.get(offset..offset + size).map(<[u8]>::to_vec));
                match given.collect() {
                    Some(args) => Ok(args),
                    None => failure(Status::InvalidValue, "the kernel has more parameters than were given"),
                }
            }
        }
    }

    /// The same as bytes, each parameter at its offset.
    ///
    /// # Safety
    /// As that of [`Self::launch`].
    pub unsafe fn argument_bytes(&self, function: usize, arguments: &Arguments) -> Result<Vec<u8>, Failure> {
        // SAFETY: as above.
        let args = unsafe { self.arguments(function, arguments)? };
        let (_, kernel) = self.registry.kernel(function)?;
        let mut bytes = vec![0; kernel.params.iter().map(|p| (p.argument_offset + p.size) as usize).max().unwrap_or(0)];
        for (param, arg) in kernel.params.iter().zip(args) {
            bytes[param.argument_offset as usize..][..arg.len()].copy_from_slice(&arg);
        }
        Ok(bytes)
    }

    /// The same without a note of a launch that is refused.
    unsafe fn try_launch(
        &mut self,
        function: usize,
        configuration: &Configuration,
        arguments: &Arguments,
    ) -> Result<(), Failure> {
        self.stream(configuration.stream as *mut c_void)?;
        // SAFETY: as above.
        let mut args = unsafe { self.arguments(function, arguments)? };
        let (number, kernel) = self.registry.kernel(function)?;
        let kernel = kernel.clone();
        args.iter_mut().for_each(|arg| self.translate(arg));
        let most = self.session()?.chip().config().core.shared_bytes as usize;
        if configuration.shared > most {
            return failure(
                Status::InvalidConfiguration,
                format!("{} bytes of dynamic shared memory: a block has up to {most}", configuration.shared),
            );
        }
        let dynamic_shared = u32::try_from(configuration.shared).unwrap_or(u32::MAX);
        let (grid, block) = (configuration.grid.array(), configuration.block.array());
        let (textures, kernel) = self.bound_textures(number, kernel, &args)?;
        self.managed_to_device()?;
        let (registry, session) = self.parts()?;
        let constants = registry.constants(number, &kernel, &session.memory)?;
        let name = readable(&kernel.name);
        let _watch = SignalWatch::begin();
        let unbound_textures = true;
        let call =
            KernelCall { name, kernel, grid, block, dynamic_shared, args, constants, textures, unbound_textures };
        let launched = session.launch(call).map(|_record| ());
        self.textures.kernel_has_run();
        if let Err(error) = launched {
            print::assertions(self)?;
            return Err(error.into());
        }
        self.managed_to_host()?;
        print::flush(self)
    }

    fn managed_to_device(&mut self) -> Result<(), Failure> {
        let managed = std::mem::take(&mut self.managed);
        for (&pointer, memory) in &managed {
            // SAFETY: it is mapped as long as it is listed.
            let bytes = unsafe { std::slice::from_raw_parts(pointer as *const u8, memory.bytes) };
            self.session()?.memory.bytes_mut(pointer, memory.bytes)?.copy_from_slice(bytes);
        }
        self.managed = managed;
        for (shadow, place, bytes) in self.managed_variables() {
            // SAFETY: a variable of the program's.
            let bytes = unsafe { std::slice::from_raw_parts(shadow as *const u8, bytes) };
            self.session()?.memory.bytes_mut(place, bytes.len())?.copy_from_slice(bytes);
        }
        Ok(())
    }

    fn managed_to_host(&mut self) -> Result<(), Failure> {
        let managed = std::mem::take(&mut self.managed);
        for (&pointer, memory) in &managed {
            let bytes = self.session()?.memory.bytes(pointer, memory.bytes)?;
            // SAFETY: it is mapped as long as it is listed, and nobody else writes during a launch.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), pointer as *mut u8, bytes.len()) };
        }
        self.managed = managed;
        for (shadow, place, bytes) in self.managed_variables() {
            let bytes = self.session()?.memory.bytes(place, bytes)?;
            // SAFETY: a variable of the program's, at which nobody else looks during a launch.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), shadow as *mut u8, bytes.len()) };
        }
        Ok(())
    }

    /// The managed variables that kernels use: where the host and the device have them, and their sizes.
    fn managed_variables(&self) -> Vec<(usize, u64, usize)> {
        let variables = self.registry.variables.iter().filter(|(_, variable)| variable.managed);
        let place = |(&shadow, variable): (&usize, &Variable)| {
            Some((shadow, self.registry.global_place(variable)?, variable.bytes))
        };
        variables.filter_map(place).collect()
    }

    /// Pointers to managed variables in an argument become those of the device.
    fn translate(&self, arg: &mut [u8]) {
        for word in arg.chunks_exact_mut(8) {
            let pointer = word.iter().rev().fold(0, |pointer, &byte| pointer << 8 | u64::from(byte));
            let place = self
                .managed_variable(pointer)
                .and_then(|(shadow, variable)| Some(self.registry.global_place(variable)? + (pointer - shadow as u64)));
            if let Some(place) = place {
                word.copy_from_slice(&place.to_le_bytes());
            }
        }
    }
}

/// A function's name as C++ has it, without types of arguments and result; the program's own library knows how.
fn readable(name: &str) -> String {
    type Demangle = unsafe extern "C" fn(*const c_char, *mut c_char, *mut usize, *mut c_int) -> *mut c_char;
    let Ok(mangled) = CString::new(name) else { return name.into() };
    // SAFETY: the function of this name has had this type since there is a common C++ interface; its result is a C
    // string of the heap.
    let plain = unsafe {
        let found = libc::dlsym(libc::RTLD_DEFAULT, c"__cxa_demangle".as_ptr());
        if found.is_null() {
            return name.into();
        }
        let demangle = std::mem::transmute::<*mut c_void, Demangle>(found);
        let text = demangle(mangled.as_ptr(), std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        if text.is_null() {
            return name.into();
        }
        let plain = CStr::from_ptr(text).to_string_lossy().into_owned();
        libc::free(text.cast());
        plain
    };
    without_types(&plain).to_string()
}

/// What stands before the arguments and behind the result.
fn without_types(plain: &str) -> &str {
    let mut depth = 0;
    let mut end = plain.len();
    for (at, letter) in plain.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            '(' if depth == 0 && !plain[at..].starts_with("(anonymous namespace)") => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let name = &plain[..end];
    name.strip_prefix("void ").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short() {
        assert_eq!(without_types("expand(Graph const*, int)"), "expand");
        assert_eq!(without_types("void reduce<float, (Kind)2>(float*)"), "reduce<float, (Kind)2>");
        assert_eq!(without_types("(anonymous namespace)::fill(int*)"), "(anonymous namespace)::fill");
        assert_eq!(without_types("main"), "main");
    }
}
