//! What the compiler's start-up code tells of a program: its files with their PTX, kernels, variables and textures,
//! each by the address that the host's code has in its place.

use crate::error::{Failure, Status, failure};
use measure::session::DeviceMemory;
use program::{
    Kernel, PtxError, Target, compile,
    compile::progress::on_terminal,
    link::{Linked, Program, PtxUnit, Symbol},
    survey,
};
use std::collections::HashMap;

/// A file of the program.
pub struct RegisteredModule {
    unit: PtxUnit,
    /// Since the device is used: its PTX with what it needs of other files.
    text: String,
    /// All kernels, or what is wrong with them.
    kernels: HashMap<String, Result<Kernel, Wrong>>,
    /// Names that variables of other files have in `text`.
    foreign: HashMap<String, Symbol>,
    /// The whole file, if it could not be read.
    problem: Option<String>,
    /// Constants by name, with their values now.
    pub constants: HashMap<String, Vec<u8>>,
    /// Pointers to variables in global memory.
    pub globals: HashMap<String, u64>,
    /// Pointers to constants that somebody has asked for: what they hold now is there.
    pub constant_places: HashMap<String, u64>,
}

/// What is wrong with a kernel.
enum Wrong {
    /// Something is missing in the program, or there twice.
    Link(Vec<String>),
    Compile(Vec<PtxError>),
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
    /// The host reads and writes it like any other.
    pub managed: bool,
}

/// All of it.
#[derive(Default)]
pub struct Registry {
    /// Those that have been linked.
    program: Program,
    /// By number.
    pub modules: Vec<RegisteredModule>,
    /// By the address of the host's function.
    pub functions: HashMap<usize, Name>,
    /// By the address of the host's shadow.
    pub variables: HashMap<usize, Variable>,
    /// By the address of the host's texture reference.
    pub textures: HashMap<usize, Name>,
    /// By the address of the host's surface reference.
    pub surfaces: HashMap<usize, Variable>,
}

impl Registry {
    /// A file; its number.
    pub fn add(&mut self, unit: PtxUnit) -> usize {
        self.modules.push(RegisteredModule {
            unit,
            text: String::new(),
            kernels: HashMap::new(),
            foreign: HashMap::new(),
            problem: None,
            constants: HashMap::new(),
            globals: HashMap::new(),
            constant_places: HashMap::new(),
        });
        self.modules.len() - 1
    }

    /// Variables are as they were at the start, and are put into memory when the device is used again.
    pub fn reset(&mut self) {
        self.program = Program::default();
        for module in &mut self.modules {
            module.constants.clear();
            module.globals.clear();
            module.constant_places.clear();
        }
    }

    /// Links and compiles what has been registered since the last time and puts variables into memory.
    pub fn activate(&mut self, memory: &mut DeviceMemory, target: &Target) -> Result<(), Failure> {
        let active = self.program.files();
        if active == self.modules.len() {
            return Ok(());
        }
        self.program.add(self.modules[active..].iter().map(|module| module.unit.clone()));
        on_terminal(|| {
            for number in active..self.modules.len() {
                let linked = self.program.link(number);
                self.modules[number].compile(linked, target);
            }
        });
        for number in active..self.modules.len() {
            self.place(number, memory)?;
        }
        Ok(())
    }

    /// Compiles the kernels with recursive functions once more, for stacks of another size.
    pub fn compile_stacks(&mut self, target: &Target) {
        for module in &mut self.modules {
            let file = module.file();
            for kernel in module.kernels.values_mut().flatten().filter(|kernel| kernel.stack_bytes > 0) {
                // It has compiled once, and its variables are in memory.
                if let Ok(compiled) = compile(&module.text, &file, Some(&kernel.name), target) {
                    *kernel = Kernel { globals: std::mem::take(&mut kernel.globals), ..compiled };
                }
            }
        }
    }

    /// Puts the variables of a file's kernels into memory.
    fn place(&mut self, number: usize, memory: &mut DeviceMemory) -> Result<(), Failure> {
        let mut kernels = std::mem::take(&mut self.modules[number].kernels);
        for kernel in kernels.values_mut().filter_map(|kernel| kernel.as_mut().ok()) {
            for constant in &kernel.constants {
                let (file, name) = self.named(number, &constant.name);
                self.modules[file].constants.entry(name).or_insert_with(|| constant.data.clone());
            }
            // They are in memory from now on.
            for global in std::mem::take(&mut kernel.globals) {
                let (file, name) = self.named(number, &global.name);
                // Of another file's variable that no kernel of this one needs, there is no more than its place.
                let is_here = self.modules[number].foreign.contains_key(&global.name)
                    || self.program.defines(number, &global.name);
                if is_here && !self.modules[file].globals.contains_key(&name) {
                    let pointer = memory.place(&name, global.address, global.data)?;
                    self.modules[file].globals.insert(name, pointer);
                }
            }
        }
        self.modules[number].kernels = kernels;
        Ok(())
    }

    /// The variable that has a name in the PTX of a file.
    pub fn named(&self, file: usize, name: &str) -> Symbol {
        let foreign = self.modules[file].foreign.get(name).cloned();
        foreign.unwrap_or_else(|| self.program.symbol(file, name))
    }

    /// What the constants of a kernel hold, by their names in it.
    pub fn constants(
        &self,
        file: usize,
        kernel: &Kernel,
        memory: &DeviceMemory,
    ) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let value = |name: &str, bytes: usize| -> Result<Vec<u8>, Failure> {
            let (file, own) = self.named(file, name);
            let module = &self.modules[file];
            match module.constant_places.get(&own) {
                Some(&place) => Ok(memory.bytes(place, bytes)?.to_vec()),
                None => Ok(module.constants.get(&own).cloned().unwrap_or_default()),
            }
        };
        let constants = kernel.constants.iter();
        constants.map(|constant| Ok((constant.name.clone(), value(&constant.name, constant.data.len())?))).collect()
    }

    /// The pointer to a variable in global memory, if some kernel uses it.
    pub fn global_place(&self, variable: &Variable) -> Option<u64> {
        let (module, name) = self.program.symbol(variable.name.module, &variable.name.name);
        self.modules[module].globals.get(&name).copied()
    }

    /// The host's function is one of a kernel.
    pub fn is_kernel(&self, function: usize) -> Result<(), Failure> {
        match self.functions.contains_key(&function) {
            true => Ok(()),
            false => failure(Status::InvalidDeviceFunction, "that function is no kernel of this program"),
        }
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
                format!("the PTX of {} cannot be read:\n{problem}", of.unit.file),
            );
        }
        match of.kernels.get(name) {
            Some(Ok(kernel)) => Ok((*module, kernel)),
            Some(Err(wrong)) => {
                let shown: String = match wrong {
                    Wrong::Link(problems) => return failure(Status::InvalidDeviceFunction, problems.join("\n")),
                    Wrong::Compile(problems) => {
                        problems.iter().map(|problem| format!("{:?}", miette::Report::new(problem.clone()))).collect()
                    }
                };
                let message = format!("kernel `{name}` of {} cannot be compiled:\n{shown}", of.unit.file);
                failure(Status::InvalidDeviceFunction, message)
            }
            None => failure(Status::InvalidDeviceFunction, format!("{} has no kernel `{name}`", of.unit.file)),
        }
    }

    /// The name of the kernel of a function, also of one that cannot be compiled.
    pub fn kernel_name(&self, function: usize) -> Option<&str> {
        self.functions.get(&function).map(|Name { name, .. }| name.as_str())
    }

    /// The variable of a surface reference of the host's.
    pub fn surface(&self, reference: usize) -> Option<Variable> {
        self.surfaces.get(&reference).map(|variable| self.of_program(variable))
    }

    /// A variable by its place in the program.
    fn of_program(&self, variable: &Variable) -> Variable {
        let (module, name) = self.program.symbol(variable.name.module, &variable.name.name);
        Variable { name: Name { module, name }, ..*variable }
    }

    /// The variable whose shadow is at an address; of several weak ones with one name, the one that there is.
    pub fn variable(&self, symbol: usize) -> Result<Variable, Failure> {
        match self.variables.get(&symbol) {
            Some(variable) => Ok(self.of_program(variable)),
            None => failure(
                Status::InvalidSymbol,
                format!("{symbol:#x} is no variable of the device; symbols are given by name, not as text"),
            ),
        }
    }
}

impl RegisteredModule {
    /// Its kernels.
    fn compile(&mut self, linked: Linked, target: &Target) {
        self.text = linked.text;
        self.foreign = linked.variables;
        let surveyed = match survey(&self.text, &self.file(), target) {
            Ok(surveyed) => surveyed,
            // A file without kernels may have nothing but functions for others.
            Err(_) if !self.text.contains(".entry") => return,
            Err(problem) => {
                self.problem = Some(format!("{:?}", miette::Report::new(*problem)));
                return;
            }
        };
        let mut problems = linked.problems;
        let kernels = surveyed.into_iter().map(|kernel| {
            let outcome = match problems.remove(&kernel.name) {
                Some(problems) => Err(Wrong::Link(problems)),
                None => kernel.outcome.map_err(Wrong::Compile),
            };
            (kernel.name, outcome)
        });
        self.kernels = kernels.collect();
    }

    /// Name of its PTX.
    fn file(&self) -> String {
        format!("{}.ptx", self.unit.file)
    }

    /// The whole file, if it could not be read.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// A variable by its name, with what it holds at the start, and whether it is a constant: made by a kernel that uses it.
    fn variable(&self, name: &str, target: &Target) -> Option<(Vec<u8>, bool)> {
        let text = if self.text.is_empty() { &self.unit.text } else { &self.text };
        let text = format!(
            "{text}\n.visible .entry warpmesh_initial() {{ .reg .b64 %rd<2>; mov.u64 %rd1, {name}; st.global.u64 [%rd1], %rd1; ret; }}\n"
        );
        let kernel = compile(&text, &self.file(), Some("warpmesh_initial"), target).ok()?;
        let globals = kernel.globals.into_iter().map(|global| (global.name, global.data, false));
        let constants = kernel.constants.into_iter().map(|constant| (constant.name, constant.data, true));
        let mut all = globals.chain(constants);
        all.find(|(found, ..)| found == name).map(|(_, data, constant)| (data, constant))
    }

    /// Bytes of a variable that the file declares, and whether it is a constant.
    pub fn declared(&self, name: &str, target: &Target) -> Option<(usize, bool)> {
        self.variable(name, target).map(|(data, constant)| (data.len(), constant))
    }

    /// What a variable holds at the start that no kernel uses.
    pub fn initial(&self, name: &str, bytes: usize, target: &Target) -> Vec<u8> {
        let mut data = self.variable(name, target).map_or(vec![], |(data, _)| data);
        data.resize(bytes, 0);
        data
    }

    /// What a constant holds. One that no kernel uses is made when it is first asked for.
    pub fn constant(&mut self, name: &str, bytes: usize, target: &Target) -> &mut Vec<u8> {
        if !self.constants.contains_key(name) {
            self.constants.insert(name.into(), self.initial(name, bytes, target));
        }
        self.constants.entry(name.into()).or_default()
    }

    /// The pointer to a copy of a constant, which is the constant from then on.
    pub fn constant_place(
        &mut self,
        name: &str,
        bytes: usize,
        memory: &mut DeviceMemory,
        target: &Target,
    ) -> Result<u64, Failure> {
        if let Some(&place) = self.constant_places.get(name) {
            return Ok(place);
        }
        let data = self.constant(name, bytes, target);
        data.resize(bytes, 0);
        let place = allocate_variable(memory, name, data)?;
        self.constant_places.insert(name.into(), place);
        Ok(place)
    }

    /// The pointer to a variable in global memory; of one that no kernel uses, to an allocation of its own.
    pub fn global(
        &mut self,
        name: &str,
        bytes: usize,
        memory: &mut DeviceMemory,
        target: &Target,
    ) -> Result<u64, Failure> {
        if let Some(&pointer) = self.globals.get(name) {
            return Ok(pointer);
        }
        let pointer = allocate_variable(memory, name, &self.initial(name, bytes, target))?;
        self.globals.insert(name.into(), pointer);
        Ok(pointer)
    }
}

/// A variable in an allocation of its own.
fn allocate_variable(memory: &mut DeviceMemory, name: &str, data: &[u8]) -> Result<u64, Failure> {
    let pointer = memory.allocate(data.len(), 1)?;
    memory.make_variable(pointer, name);
    memory.bytes_mut(pointer, data.len())?.copy_from_slice(data);
    Ok(pointer)
}
