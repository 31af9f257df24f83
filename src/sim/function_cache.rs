//! Functions that Cranelift has compiled before: chips that differ in one block share the code of all others.
//!
//! [`code_cache`](super::code_cache) answers first, with all code of a design that is the same. Where it has none, modules are prepared and
//! their functions built as ever; but a function that was compiled before, in this process or by the user before, comes from here. Its
//! key is its whole content, as Cranelift has it (with what it calls by position, as numbers differ from design to design), the
//! machine and Cranelift's settings: that is all that its code depends on. So it is right for other versions of this program, too, as long as
//! they keep functions in the same form ([`FORMAT`]).

use super::kept_function::{Function, Target, kinds_of_relocations};
use common::cache::{Cache, Key};
use cranelift_codegen::ir::Function as Content;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// Bytes of code that are kept in memory; beyond, all is forgotten.
const MEMORY: usize = 64 << 20;

/// Functions in memory.
#[derive(Default)]
struct Memory {
    functions: FxHashMap<u128, Arc<Function>>,
    bytes: usize,
}

/// Those of this process.
static OF_PROCESS: LazyLock<Arc<Mutex<Memory>>> = LazyLock::new(Arc::default);

/// Functions of earlier compilations.
pub(super) struct FunctionCache {
    /// Of the machine and of Cranelift.
    key: Key,
    memory: Arc<Mutex<Memory>>,
    disk: Option<Cache>,
    /// Functions that were there, and files that we have written.
    found: usize,
    kept: usize,
    /// Hash of the last one.
    last: u128,
}

/// How a function is kept; another form of [`Function`] is another number.
const FORMAT: u32 = 1;

/// So many new files are worth a look at how many there are; of fewer, one compilation in eight.
const MANY: usize = 64;

impl FunctionCache {
    /// For code of a machine with this description.
    pub fn new(machine: &str) -> Self {
        Self::with(machine, OF_PROCESS.clone(), Cache::functions_of_user())
    }

    fn with(machine: &str, memory: Arc<Mutex<Memory>>, disk: Option<Cache>) -> Self {
        let key = Key::default().with((FORMAT, kinds_of_relocations(), cranelift_codegen::VERSION, machine));
        Self { key, memory, disk, found: 0, kept: 0, last: 0 }
    }

    /// Of a process of its own, and this folder.
    #[cfg(test)]
    pub fn alone(machine: &str, disk: Cache) -> Self {
        Self::with(machine, Arc::default(), Some(disk))
    }

    /// The next one of the same process.
    #[cfg(test)]
    pub fn again(&self, machine: &str, disk: Cache) -> Self {
        Self::with(machine, self.memory.clone(), Some(disk))
    }

    /// The key of a function.
    pub fn key(&self, content: &Content) -> Key {
        self.key.clone().with(&content.stencil)
    }

    /// The code of a function with this content; what it calls has the numbers that it has there.
    pub fn get(&mut self, key: &Key, content: &Content) -> Option<Function> {
        let known = self.memory().functions.get(&key.number()).cloned();
        let kept = known.or_else(|| {
            let bytes = self.disk.as_ref()?.get(key)?;
            let (function, rest) = postcard::take_from_bytes::<Function>(&bytes).ok()?;
            let function = Arc::new(function);
            rest.is_empty().then(|| self.remember(key, &function))?;
            Some(function)
        })?;
        let called = content.params.user_named_funcs();
        if !kept.is_sound(called.len()) {
            return None;
        }
        let mut function = Function::clone(&kept);
        for relocation in &mut function.relocations {
            if let Target::Function(at) = &mut relocation.target {
                *at = called.values().nth(*at as usize)?.index;
            }
        }
        self.found += 1;
        Some(function)
    }

    /// So many functions were there.
    #[cfg(test)]
    pub fn found(&self) -> usize {
        self.found
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, key: &Key, function: &Arc<Function>) {
        let mut memory = self.memory();
        if memory.bytes > MEMORY {
            *memory = Memory::default();
        }
        if memory.functions.insert(key.number(), function.clone()).is_none() {
            memory.bytes += function.bytes.len();
        }
    }

    /// Keeps the code of a function.
    pub fn put(&mut self, key: &Key, content: &Content, function: &Function) {
        let mut function = function.clone();
        function.name.clear();
        for relocation in &mut function.relocations {
            if let Target::Function(number) = &mut relocation.target {
                let position = content.params.user_named_funcs().values().position(|called| called.index == *number);
                let Some(position) = position else { return };
                *number = position as u32;
            }
        }
        let function = Arc::new(function);
        self.remember(key, &function);
        if let Some(disk) = &self.disk
            && let Ok(bytes) = postcard::to_allocvec(&*function)
        {
            self.kept += 1;
            self.last = key.number();
            if !disk.put_one_of_many(key, &bytes) {
                // The disk may be full: there is no point in the next one.
                self.disk = None;
            }
        }
    }
}

impl Drop for FunctionCache {
    fn drop(&mut self) {
        let looks = self.kept >= MANY || self.kept > 0 && self.last.is_multiple_of(8);
        if let Some(disk) = self.disk.as_ref().filter(|_| looks) {
            disk.tidy();
        }
    }
}
