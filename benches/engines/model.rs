//! A Verilator model in a shared object, as something with the pins of a design.

use libloading::{Library, Symbol};
use std::{
    ffi::{CString, c_char, c_void},
    path::Path,
};
use warpmesh::{hdl::Bits, host::Pins, sim::SimError};

type ModelPointer = *mut c_void;

/// A running model. Its functions live as long as the library beside them.
pub struct EngineModel {
    model: ModelPointer,
    free: unsafe extern "C" fn(ModelPointer),
    port: unsafe extern "C" fn(ModelPointer, *const c_char, *mut u32) -> ModelPointer,
    run: unsafe extern "C" fn(ModelPointer, u64),
    cycle: u64,
    _library: Library,
}

/// A port's place in the model.
#[derive(Clone, Copy)]
pub struct Port {
    at: ModelPointer,
    bits: u32,
}

impl EngineModel {
    /// Loads the shared object that `glue.cpp` is in.
    pub fn load(file: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: the file was built by us from `glue.cpp`, whose functions have these types; loading it runs the
        // constructors of Verilator's runtime and nothing else.
        unsafe {
            let library = Library::new(file)?;
            let new: Symbol<unsafe extern "C" fn() -> ModelPointer> = library.get("model_new")?;
            let model = new();
            let free = *library.get("model_free")?;
            let port = *library.get("model_port")?;
            let run = *library.get("model_run")?;
            Ok(Self { model, free, port, run, cycle: 0, _library: library })
        }
    }

    /// Clock edges.
    pub fn run(&mut self, edges: u64) {
        // SAFETY: the model lives until drop.
        unsafe { (self.run)(self.model, edges) };
        self.cycle += edges;
    }

    fn find(&self, direction: &'static str, name: &str) -> Result<Port, SimError> {
        let unknown = || SimError::UnknownPort { direction, name: name.into(), candidates: vec![] };
        let text = CString::new(name).map_err(|_| unknown())?;
        let mut bits = 0;
        // SAFETY: the model lives, the text ends with a zero, `bits` is written or left alone.
        let at = unsafe { (self.port)(self.model, text.as_ptr(), &mut bits) };
        if at.is_null() { Err(unknown()) } else { Ok(Port { at, bits }) }
    }
}

impl Drop for EngineModel {
    fn drop(&mut self) {
        // SAFETY: the model lives, and is not used again.
        unsafe { (self.free)(self.model) };
    }
}

impl Pins for EngineModel {
    type Input = Port;
    type Output = Port;
    type Clock = ();

    fn input(&self, port: &str) -> Result<Port, SimError> {
        self.find("input", port)
    }

    fn output(&self, port: &str) -> Result<Port, SimError> {
        self.find("output", port)
    }

    fn poke_at(&mut self, port: Port, value: u64) {
        let mask = u64::MAX.checked_shr(64 - port.bits.min(64)).unwrap_or(0);
        let value = value & mask;
        // SAFETY: a port's place has the size that `glue.cpp` says and lives as long as the model.
        unsafe {
            match port.bits {
                0..=8 => port.at.cast::<u8>().write(value as u8),
                9..=16 => port.at.cast::<u16>().write(value as u16),
                17..=32 => port.at.cast::<u32>().write(value as u32),
                33..=64 => port.at.cast::<u64>().write(value),
                _ => self.poke_bits_at(port, &Bits::new(port.bits, value)),
            }
        }
    }

    fn poke_bits_at(&mut self, port: Port, value: &Bits) {
        if port.bits <= 64 {
            return self.poke_at(port, value.to_u64());
        }
        for i in 0..port.bits.div_ceil(32) as usize {
            let word = value.words().get(i / 2).map_or(0, |word| (word >> (32 * (i % 2))) as u32);
            // SAFETY: the place is an array of that many words.
            unsafe { port.at.cast::<u32>().add(i).write(word) };
        }
    }

    fn peek_at(&mut self, port: Port) -> u64 {
        // SAFETY: as in `poke_at`.
        unsafe {
            match port.bits {
                0..=8 => port.at.cast::<u8>().read().into(),
                9..=16 => port.at.cast::<u16>().read().into(),
                17..=32 => port.at.cast::<u32>().read().into(),
                33..=64 => port.at.cast::<u64>().read(),
                _ => self.peek_bits_at(port).words()[0],
            }
        }
    }

    fn peek_bits_at(&mut self, port: Port) -> Bits {
        if port.bits <= 64 {
            return Bits::new(port.bits, self.peek_at(port));
        }
        let mut words = vec![0_u64; port.bits.div_ceil(64) as usize];
        for i in 0..port.bits.div_ceil(32) as usize {
            // SAFETY: the place is an array of that many words.
            let word = unsafe { port.at.cast::<u32>().add(i).read() };
            words[i / 2] |= u64::from(word) << (32 * (i % 2));
        }
        Bits::from_words(port.bits, &words)
    }

    fn step(&mut self) -> Result<(), SimError> {
        self.run(1);
        Ok(())
    }

    /// The only one that the glue drives.
    fn clock(&self, name: &str) -> Result<(), SimError> {
        assert_eq!(name, "clock", "a design with one clock");
        Ok(())
    }

    fn reset_step(&mut self) {
        let reset = self.input("reset").expect("a synchronous design has a reset");
        self.poke_at(reset, 1);
        self.run(1);
        self.poke_at(reset, 0);
    }

    fn has_edge(&self, (): ()) -> bool {
        true
    }

    fn cycle_of(&self, (): ()) -> u64 {
        self.cycle
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn instructions(&mut self) -> Option<u64> {
        None
    }
}
