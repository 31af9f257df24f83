//! Machine code: under construction by Cranelift or brought back from the [`cache`](common::cache), and ready to be
//! called.
//!
//! Bringing back a [kept function](super::kept_function) is copying it and filling in the addresses of this run, which
//! takes about a hundredth of the time of generating it. Single functions come from the [`FunctionCache`].

use super::{
    error::SimError,
    function_cache::FunctionCache,
    kept_function::{Function, kept},
};
use common::cache::Key;
use cranelift_codegen::{
    Context,
    ir::{Function as Content, Signature, UserFuncName},
    isa::OwnedTargetIsa,
    settings::{self, Configurable},
};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module as _, ModuleError, ModuleReloc, default_libcall_names};
use serde::{Serialize, de::DeserializeOwned};
use std::{env, io::ErrorKind};

/// Functions of this program that generated code may call, by name.
pub(crate) type Symbols = [(String, *const u8)];

/// Code under construction.
pub(crate) struct Coder {
    pub jit: JITModule,
    /// By number.
    functions: Vec<Function>,
    /// All that was defined is there to be kept.
    keepable: bool,
    /// Where to look for functions.
    cache: Option<FunctionCache>,
}

/// What [`text`] says of memory for code that the system refused.
const OUT_OF_MEMORY: &str = "out of memory";

/// Code could not be generated.
pub(super) fn failure(module: &str, message: String) -> SimError {
    if message == OUT_OF_MEMORY {
        return SimError::OutOfMemory { module: module.into() };
    }
    SimError::Native { module: module.into(), message }
}

/// The machine that runs us. Cranelift's optimiser is off: engines simplify before they emit, and what it adds costs
/// more than it gains. Its verifier runs where our own debug assertions do, but for tests that say that others verify the code of the same
/// blocks: it takes a tenth of the time of a chip's test.
fn machine() -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verified = cfg!(debug_assertions) && env::var_os("WARPMESH_TEST_UNVERIFIED").is_none();
    let wanted = [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("opt_level", "none"),
        ("enable_verifier", if verified { "true" } else { "false" }),
        ("unwind_info", "false"),
    ];
    for (flag, value) in wanted {
        flags.set(flag, value).map_err(|e| e.to_string())?;
    }
    let isa = cranelift_native::builder()?;
    isa.finish(settings::Flags::new(flags)).map_err(|e| e.to_string())
}

/// What code depends on of the machine and of Cranelift's settings; code for other features of the processor is other
/// code.
pub(crate) fn machine_description() -> Option<String> {
    Some(description(&machine().ok()?))
}

fn description(isa: &OwnedTargetIsa) -> String {
    let features = isa.isa_flags().into_iter().map(|flag| flag.to_string()).collect::<Vec<_>>().join("\n");
    format!("{}\n{}\n{features}", isa.triple(), isa.flags())
}

impl Coder {
    /// Nothing yet. `cached`: functions that were compiled before are not compiled again.
    pub fn new(symbols: &Symbols, cached: bool) -> Result<Self, String> {
        let machine = machine()?;
        let cache = cached.then(|| FunctionCache::new(&description(&machine)));
        Ok(Self::with_cache(machine, symbols, cache))
    }

    fn with_cache(machine: OwnedTargetIsa, symbols: &Symbols, cache: Option<FunctionCache>) -> Self {
        let mut builder = JITBuilder::with_isa(machine, default_libcall_names());
        builder.symbols(symbols.iter().map(|(name, address)| (name.as_str(), *address)));
        Self { jit: JITModule::new(builder), functions: vec![], keepable: true, cache }
    }

    /// A function that will be defined; `content` becomes an empty one to be filled.
    pub fn declare(&mut self, name: &str, signature: Signature, content: &mut Content) -> Result<FuncId, String> {
        let id = self.add(name, &signature, false)?;
        *content = Content::with_name_signature(UserFuncName::user(0, id.as_u32()), signature);
        Ok(id)
    }

    /// A function of this program.
    pub fn import(&mut self, symbol: &str, signature: &Signature) -> Result<FuncId, String> {
        self.add(symbol, signature, true)
    }

    fn add(&mut self, name: &str, signature: &Signature, imported: bool) -> Result<FuncId, String> {
        let linkage = if imported { Linkage::Import } else { Linkage::Local };
        let id = self.jit.declare_function(name, linkage, signature).map_err(text)?;
        // A name that was declared before keeps its number.
        if id.as_u32() as usize == self.functions.len() {
            self.functions.push(Function { name: name.into(), imported, ..Function::default() });
        }
        Ok(id)
    }

    /// Compiles a declared function; returns the size of its code in bytes. The context is cleared.
    pub fn define(&mut self, id: FuncId, context: &mut Context) -> Result<usize, String> {
        let key = self.cache.as_ref().map(|cache| cache.key(&context.func));
        let known = self.cache.as_mut().zip(key.as_ref()).and_then(|(cache, key)| cache.get(key, &context.func));
        let found = known.and_then(|function| self.define_known(id, &function).then_some(function));
        let mut function = match found {
            Some(function) => function,
            None => self.compile(id, context, key.as_ref())?,
        };
        self.jit.clear_context(context);
        let (size, declared) = (function.bytes.len(), &mut self.functions[id.as_u32() as usize]);
        function.name = std::mem::take(&mut declared.name);
        *declared = function;
        Ok(size)
    }

    fn compile(&mut self, id: FuncId, context: &mut Context, key: Option<&Key>) -> Result<Function, String> {
        self.jit.define_function(id, context).map_err(text)?;
        let code = context.compiled_code().ok_or("nothing was compiled")?;
        let relocations = code.buffer.relocs().iter();
        let relocations = relocations.map(|reloc| kept(&ModuleReloc::from_mach_reloc(reloc, &context.func, id)));
        let relocations = relocations.collect::<Option<_>>();
        let is_kept = relocations.is_some();
        self.keepable &= is_kept;
        let function = Function {
            alignment: code.buffer.alignment,
            bytes: code.code_buffer().to_vec(),
            relocations: relocations.unwrap_or_default(),
            ..Function::default()
        };
        if let (Some(cache), Some(key), true) = (&mut self.cache, key, is_kept) {
            cache.put(key, &context.func, &function);
        }
        Ok(function)
    }

    /// Defines a function whose code is there; `false`: it cannot be used.
    fn define_known(&mut self, id: FuncId, function: &Function) -> bool {
        let relocations: Option<Vec<_>> = function.relocations.iter().map(|r| r.module_reloc(id)).collect();
        let (alignment, bytes) = (function.alignment.into(), &function.bytes);
        relocations.is_some_and(|all| self.jit.define_function_bytes(id, alignment, bytes, &all).is_ok())
    }

    /// A function that is machine code already, without relocations.
    pub fn define_bytes(
        &mut self,
        name: &str,
        signature: Signature,
        alignment: u32,
        bytes: Vec<u8>,
    ) -> Result<FuncId, String> {
        let id = self.add(name, &signature, false)?;
        self.jit.define_function_bytes(id, alignment.into(), &bytes, &[]).map_err(text)?;
        let function = &mut self.functions[id.as_u32() as usize];
        (function.alignment, function.bytes) = (alignment, bytes);
        Ok(id)
    }

    /// The code as bytes to be kept, with a record for whoever brings it back; `None` when it cannot be.
    pub fn stored(&self, record: &impl Serialize) -> Option<Vec<u8>> {
        self.keepable.then(|| postcard::to_allocvec(&(record, &self.functions)).ok()).flatten()
    }

    /// What was [`stored`](Self::stored), and the record; `None` when it is not that, or calls something else than
    /// `symbols`.
    pub fn load<R: DeserializeOwned>(stored: &[u8], symbols: &Symbols) -> Option<(Self, R)> {
        let ((record, functions), rest): ((R, Vec<Function>), _) = postcard::take_from_bytes(stored).ok()?;
        let known = |f: &Function| !f.imported || symbols.iter().any(|(name, _)| *name == f.name);
        if !rest.is_empty() || !functions.iter().all(|f| known(f) && f.is_sound(functions.len())) {
            return None;
        }
        let mut coder = Self { keepable: false, ..Self::new(symbols, false).ok()? };
        // The signature matters to callers that are compiled, and there are none.
        let signature = coder.jit.make_signature();
        for (number, function) in functions.iter().enumerate() {
            let id = coder.add(&function.name, &signature, function.imported).ok()?;
            if id.as_u32() as usize != number {
                return None;
            }
        }
        for (number, function) in functions.iter().enumerate().filter(|(_, function)| !function.imported) {
            if !coder.define_known(FuncId::from_u32(number as u32), function) {
                return None;
            }
        }
        Some((coder, record))
    }

    /// Ready to be called.
    pub fn finish(mut self) -> Result<Executable, String> {
        self.jit.finalize_definitions().map_err(text)?;
        Ok(Executable { jit: Some(self.jit) })
    }
}

/// Code that can be called, until this is dropped.
pub(crate) struct Executable {
    /// Taken when dropped.
    jit: Option<JITModule>,
}

impl Executable {
    /// Where the function with this number starts.
    pub fn address(&self, function: u32) -> *const u8 {
        let id = FuncId::from_u32(function);
        self.jit.as_ref().map_or(std::ptr::null(), |jit| jit.get_finalized_function(id))
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        if let Some(jit) = self.jit.take() {
            // SAFETY: whoever has taken an address keeps this value for as long as it may be called (see its owners).
            unsafe { jit.free_memory() }
        }
    }
}

fn text(error: ModuleError) -> String {
    match &error {
        ModuleError::Allocation { err, .. } if err.kind() == ErrorKind::OutOfMemory => OUT_OF_MEMORY.into(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kept_function::{Relocation, Target};
    use common::cache::Cache;
    use cranelift_codegen::ir::{AbiParam, InstBuilder, types};
    use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

    extern "C" fn triple(x: u64) -> u64 {
        3 * x
    }

    extern "C" fn negate(x: u64) -> u64 {
        x.wrapping_neg()
    }

    fn symbols(function: extern "C" fn(u64) -> u64) -> Vec<(String, *const u8)> {
        vec![("triple".into(), function as *const u8)]
    }

    /// `outer(x) = inner(x) + 1`, `inner(x) = triple(x)`; outer has the second number.
    fn example() -> Coder {
        let coder = Coder::new(&symbols(triple), false).expect("the machine is known");
        outer(coder, &["triple"], 1)
    }

    /// As the example, with these imports (the first one is called) and this sum; outer has the number behind theirs and that of inner.
    fn outer(mut coder: Coder, imports: &[&str], sum: i64) -> Coder {
        let mut signature = coder.jit.make_signature();
        signature.params.push(AbiParam::new(types::I64));
        signature.returns.push(AbiParam::new(types::I64));
        let mut import = |name: &&str| coder.import(name, &signature).expect("a new name");
        let imported: Vec<_> = imports.iter().map(&mut import).collect();
        let mut context = coder.jit.make_context();
        let mut builders = FunctionBuilderContext::new();
        let mut callee = imported[0];
        for (name, more) in [("inner", 0), ("outer", sum)] {
            let id = coder.declare(name, signature.clone(), &mut context.func).expect("a new name");
            let mut builder = FunctionBuilder::new(&mut context.func, &mut builders);
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let x = builder.block_params(block)[0];
            let function = coder.jit.declare_func_in_func(callee, builder.func);
            let call = builder.ins().call(function, &[x]);
            let result = builder.inst_results(call)[0];
            let sum = builder.ins().iadd_imm_s(result, more);
            builder.ins().return_(&[sum]);
            builder.seal_all_blocks();
            builder.finalize(coder.jit.target_config());
            assert!(coder.define(id, &mut context).expect("compiles") > 8);
            callee = id;
        }
        coder
    }

    fn cached(cache: FunctionCache) -> Coder {
        let symbols = [("triple", triple as extern "C" fn(u64) -> u64), ("negate", negate)];
        let symbols = symbols.map(|(name, function)| (name.to_string(), function as *const u8));
        Coder::with_cache(machine().expect("it is known"), &symbols, Some(cache))
    }

    fn run_outer(coder: Coder, number: u32, x: u64) -> u64 {
        let code = coder.finish().expect("links");
        // SAFETY: that is the function's signature, and the code lives here.
        let outer: extern "C" fn(u64) -> u64 = unsafe { std::mem::transmute(code.address(number)) };
        outer(x)
    }

    /// Functions of the same content call what has their callee's place now, whatever its number; those of another content are others. It is
    /// the same from memory and from disk.
    #[test]
    fn functions_that_were_compiled_before_call_what_is_there_now() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let disk = || Cache::at(folder.path().join("functions"), 1 << 20).expect("may be written");
        let files = || std::fs::read_dir(folder.path().join("functions")).map_or(0, Iterator::count);
        let machine = &description(&machine().expect("it is known"));
        let first = FunctionCache::alone(machine, disk());
        let (same_process, other_process) = (first.again(machine, disk()), FunctionCache::alone(machine, disk()));
        let (other_machine, another) = (FunctionCache::alone("another", disk()), FunctionCache::alone(machine, disk()));
        assert_eq!(run_outer(outer(cached(first), &["triple"], 1), 2, 5), 16);
        assert_eq!(files(), 2);
        // The callee has another number, and is another function.
        for again in [same_process, other_process] {
            let coder = outer(cached(again), &["negate", "triple"], 1);
            assert_eq!(coder.cache.as_ref().map(FunctionCache::found), Some(2));
            assert_eq!(run_outer(coder, 3, 5), 5u64.wrapping_neg() + 1);
        }
        let coder = outer(cached(another), &["triple"], 2);
        assert_eq!(coder.cache.as_ref().map(FunctionCache::found), Some(1));
        assert_eq!((run_outer(coder, 2, 5), files()), (17, 3));
        let coder = outer(cached(other_machine), &["triple"], 1);
        assert_eq!(coder.cache.as_ref().map(FunctionCache::found), Some(0));
        assert_eq!((run_outer(coder, 2, 5), files()), (16, 5));
    }

    /// What comes from disk and is not sound is compiled anew.
    #[test]
    fn functions_from_disk_have_to_be_sound() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let disk = || Cache::at(folder.path().join("functions"), 1 << 20).expect("may be written");
        let machine = &description(&machine().expect("it is known"));
        let coder = example();
        let mut context = coder.jit.make_context();
        context.func = Content::new();
        let cache = FunctionCache::alone(machine, disk());
        let key = cache.key(&context.func);
        let calls = |target| Function {
            alignment: 16,
            bytes: vec![0xc3; 8],
            relocations: vec![Relocation { offset: 0, kind: 0, target, addend: 0 }],
            ..Function::default()
        };
        for (target, sound) in [(Target::Inside(1), true), (Target::Inside(8), false), (Target::Function(0), false)] {
            let bytes = postcard::to_allocvec(&calls(target)).expect("plain data");
            disk().put(&key, &bytes);
            let mut cache = FunctionCache::alone(machine, disk());
            assert_eq!(cache.get(&key, &context.func).is_some(), sound);
            disk().put(&key, &bytes[..bytes.len() - 1]);
            let mut cache = FunctionCache::alone(machine, disk());
            assert!(cache.get(&key, &context.func).is_none());
        }
    }

    fn run(coder: Coder, x: u64) -> u64 {
        run_outer(coder, 2, x)
    }

    #[test]
    fn code_comes_back_and_calls_what_is_there_now() {
        let coder = example();
        let stored = coder.stored(&[7, u32::MAX]).expect("can be kept");
        assert_eq!(run(coder, 5), 16);
        let (again, record) = Coder::load::<[u32; 2]>(&stored, &symbols(triple)).expect("as stored");
        assert_eq!(record, [7, u32::MAX]);
        assert_eq!(again.stored(&record), None, "it is kept already");
        assert_eq!(run(again, 6), 19);
        let (elsewhere, _) = Coder::load::<[u32; 2]>(&stored, &symbols(negate)).expect("as stored");
        assert_eq!(run(elsewhere, 6), 6u64.wrapping_neg().wrapping_add(1));
        assert!(Coder::load::<[u32; 2]>(&stored, &[]).is_none(), "the symbol is not there");
    }

    #[test]
    fn what_is_not_sound_is_refused() {
        let stored = example().stored(&()).expect("can be kept");
        for length in 0..stored.len() {
            assert!(Coder::load::<()>(&stored[..length], &symbols(triple)).is_none(), "{length} bytes");
        }
        assert!(Coder::load::<()>(&[&stored[..], &[0]].concat(), &symbols(triple)).is_none());
        let change = |change: fn(&mut Function)| {
            let mut coder = example();
            change(&mut coder.functions[2]);
            Coder::load::<()>(&coder.stored(&()).expect("can be kept"), &symbols(triple)).is_some()
        };
        assert!(change(|_| {}));
        assert!(!change(|f| f.relocations[0].offset = f.bytes.len() as u32 - 3));
        assert!(!change(|f| f.relocations[0].offset = u32::MAX));
        assert!(!change(|f| f.relocations[0].target = Target::Function(3)));
        assert!(!change(|f| f.relocations[0].target = Target::Inside(f.bytes.len() as u32)));
        assert!(!change(|f| f.relocations[0].target = Target::Library("no such function".into())));
        assert!(!change(|f| f.relocations[0].kind = 99));
        assert!(!change(|f| f.alignment = 3));
        assert!(!change(|f| f.name = "inner".into()));
    }
}
