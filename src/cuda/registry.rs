//! What the compiler's start-up code tells of a program: its files with their PTX, kernels, variables and textures, each by the address
//! that the host's code has in its place.

use crate::{
    error::{Failure, Status, failure},
    ptx::{self, PADDING},
};
use measure::session::DeviceMemory;
use program::{GLOBALS_START, Kernel, PtxError, Target, survey};
use std::collections::HashMap;

/// Variables of a file begin at a multiple of this.
const ALIGN: u32 = 256;

/// A file of the program.
pub struct Module {
    file: String,
    ptx: String,
    /// Since the device is used: all kernels, or what is wrong with them.
    kernels: HashMap<String, Result<Kernel, Vec<PtxError>>>,
    /// The whole file, if it could not be read.
    problem: Option<String>,
    /// Constants by name, with their values now.
    pub constants: HashMap<String, Vec<u8>>,
    /// Pointers to variables in global memory.
    pub globals: HashMap<String, u64>,
}

/// A kernel, a variable or a texture: of which file, and its name there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// Number of the file.
    pub module: usize,
    /// As PTX has it.
    pub name: String,
}

/// A variable that the host knows.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its place in the program.
    pub name: Name,
    /// Its size.
    pub bytes: usize,
    /// It is in constant memory.
    pub constant: bool,
}

/// All of it.
#[derive(Default)]
pub struct Registry {
    /// By number.
    pub modules: Vec<Module>,
    /// By the address of the host's function.
    pub functions: HashMap<usize, Name>,
    /// By the address of the host's shadow.
    pub variables: HashMap<usize, Variable>,
    /// By the address of the host's texture reference.
    pub textures: HashMap<usize, Name>,
    /// Files up to here have been compiled and have their variables in memory.
    active: usize,
    /// Where the variables of the next file go.
    end: u32,
}

impl Registry {
    /// A file; its number.
    pub fn add(&mut self, file: String, ptx: String) -> usize {
        let (kernels, constants, globals) = (HashMap::new(), HashMap::new(), HashMap::new());
        self.modules.push(Module { file, ptx, kernels, problem: None, constants, globals });
        self.modules.len() - 1
    }

    /// Compiles what has been registered since the last time and puts variables into memory.
    pub fn activate(&mut self, memory: &mut DeviceMemory, target: &Target) -> Result<(), Failure> {
        while self.active < self.modules.len() {
            let padding = self.end.saturating_sub(GLOBALS_START);
            let end = self.modules[self.active].activate(padding, memory, target)?;
            self.end = self.end.max(end.next_multiple_of(ALIGN));
            self.active += 1;
        }
        Ok(())
    }

    /// The kernel of a host's function.
    pub fn kernel(&self, function: usize) -> Result<(usize, &Kernel), Failure> {
        let Some(Name { module, name }) = self.functions.get(&function) else {
            return failure(Status::InvalidDeviceFunction, "that function is no kernel of this program");
        };
        let of = &self.modules[*module];
        if let Some(problem) = &of.problem {
            return failure(
                Status::InvalidDeviceFunction,
                format!("the PTX of {} cannot be read:\n{problem}", of.file),
            );
        }
        match of.kernels.get(name) {
            Some(Ok(kernel)) => Ok((*module, kernel)),
            Some(Err(problems)) => {
                let shown = problems.iter().map(|problem| format!("{:?}", miette::Report::new(problem.clone())));
                let message =
                    format!("kernel `{name}` of {} cannot be compiled:\n{}", of.file, shown.collect::<String>());
                failure(Status::InvalidDeviceFunction, message)
            }
            None => failure(Status::InvalidDeviceFunction, format!("{} has no kernel `{name}`", of.file)),
        }
    }

    /// The variable whose shadow is at an address.
    pub fn variable(&self, symbol: usize) -> Result<&Variable, Failure> {
        match self.variables.get(&symbol) {
            Some(variable) => Ok(variable),
            None => failure(
                Status::InvalidSymbol,
                format!("{symbol:#x} is no variable of the device; symbols are given by name, not as text"),
            ),
        }
    }
}

impl Module {
    /// Compiles it; returns the end of its variables.
    fn activate(&mut self, padding: u32, memory: &mut DeviceMemory, target: &Target) -> Result<u32, Failure> {
        let text = ptx::prepare(&self.ptx, padding);
        let name = format!("{}.ptx", self.file);
        let surveyed = match survey(&text, &name, target) {
            Ok(surveyed) => surveyed,
            // A file without kernels may have nothing but functions for the host.
            Err(_) if !text.contains(".entry") => return Ok(GLOBALS_START + padding),
            Err(problem) => {
                self.problem = Some(format!("{:?}", miette::Report::new(*problem)));
                return Ok(GLOBALS_START + padding);
            }
        };
        let mut end = GLOBALS_START + padding;
        for kernel in surveyed.iter().filter_map(|kernel| kernel.outcome.as_ref().ok()) {
            for constant in &kernel.constants {
                self.constants.entry(constant.name.clone()).or_insert_with(|| constant.data.clone());
            }
            for global in kernel.globals.iter().filter(|global| global.name != PADDING) {
                if !self.globals.contains_key(&global.name) {
                    let pointer = memory.place(&global.name, global.address, global.data.clone())?;
                    self.globals.insert(global.name.clone(), pointer);
                    end = end.max(global.end());
                }
            }
        }
        self.kernels = surveyed.into_iter().map(|kernel| (kernel.name, kernel.outcome)).collect();
        Ok(end)
    }

    /// What a constant holds. One that no kernel uses is made when it is first asked for.
    pub fn constant(&mut self, name: &str, bytes: usize) -> &mut Vec<u8> {
        self.constants.entry(name.into()).or_insert_with(|| vec![0; bytes])
    }

    /// The pointer to a variable in global memory; of one that no kernel uses, to an allocation of its own.
    pub fn global(&mut self, name: &str, bytes: usize, memory: &mut DeviceMemory) -> Result<u64, Failure> {
        if let Some(&pointer) = self.globals.get(name) {
            return Ok(pointer);
        }
        let pointer = memory.allocate(bytes, 1)?;
        self.globals.insert(name.into(), pointer);
        Ok(pointer)
    }
}
