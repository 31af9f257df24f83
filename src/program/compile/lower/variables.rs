//! Variables that are in global memory: those of the file (`.global`), one place for all of its kernels, and those of
//! each thread (`.local`).

use super::{
    functions::function_address,
    lowering::{Done, Lowering, declared_twice},
    memory_map::{Constant, GLOBALS_START},
    warp::Exchange,
};
use crate::{
    compile::ir::{Cond, Reg, Value},
    error::{Problem, PtxErrorKind},
    isa::Opcode,
    ptx::{
        ast::{Pointer, Variable},
        types::StateSpace,
    },
};

/// Bytes of variables in global memory at most.
const GLOBALS_BYTES: u64 = 1 << 29;
/// Local memory of a thread is a multiple of this.
const LOCAL_ALIGN: u32 = 16;
/// Bytes of local memory of a thread at most.
const LOCAL_BYTES: u64 = 1 << 20;

impl Lowering<'_> {
    /// Places for all variables of the file: the same for all of its kernels, of which only those carry them that use any.
    pub(super) fn declare_globals(&mut self) -> Done {
        let module = self.module;
        let is_data = |v: &&Variable| v.space == StateSpace::Global && v.ty.scalar().is_some();
        let mut end = u64::from(GLOBALS_START);
        for variable in module.variables.iter().filter(is_data) {
            let bytes = variable.bytes().filter(|bytes| *bytes <= GLOBALS_BYTES && variable.unsupported.is_none());
            let used = self.used.contains(variable.name.as_str());
            let problem = |kind, message: String| Problem::new(kind, variable.span.clone(), message);
            // Others have no place, and who uses one is told so.
            let Some(bytes) = bytes.filter(|_| variable.elements > 0) else {
                if used {
                    let message = format!("variable `{}` has no fixed size, or too large a one", variable.name);
                    let own = variable.unsupported.clone();
                    return Err(own.unwrap_or_else(|| problem(PtxErrorKind::Unsupported, message)));
                }
                continue;
            };
            let address = end.next_multiple_of(variable.align);
            if address + bytes > u64::from(GLOBALS_START) + GLOBALS_BYTES {
                let message = format!("the module-scope variables of the file need more than {GLOBALS_BYTES} bytes");
                return Err(problem(PtxErrorKind::Resources, message));
            }
            end = address + bytes;
            if self.globals.iter().any(|other| other.name == variable.name) {
                return Err(declared_twice(&variable.name, &variable.span));
            }
            let data = variable.data(bytes)?;
            self.globals.push(Constant { name: variable.name.clone(), address: address as u32, data });
        }
        Ok(())
    }

    /// Fills in the addresses among initial values; variables that the kernel does not use need not be there.
    pub(super) fn resolve_pointers(&mut self) -> Done {
        let module = self.module;
        for variable in module.variables.iter().filter(|v| matches!(v.space, StateSpace::Const | StateSpace::Global)) {
            for pointer in &variable.pointers {
                let to = self.static_address(&pointer.name);
                let places = if variable.space == StateSpace::Const { &mut self.constants } else { &mut self.globals };
                let Some(place) = places.iter_mut().find(|place| place.name == variable.name) else { continue };
                let Some(address) = to else {
                    if self.used.contains(variable.name.as_str()) {
                        let message = format!("`{}` is no variable with an address that is known", pointer.name);
                        return Err(Problem::new(PtxErrorKind::Unsupported, pointer.span.clone(), message));
                    }
                    continue;
                };
                pointer.fill(address, &mut place.data);
            }
        }
        Ok(())
    }

    /// Where a variable of the file is in global memory.
    pub(super) fn static_address(&self, name: &str) -> Option<u32> {
        let mut places = self.globals.iter().chain(&self.constants);
        let place = places.find(|place| place.name == name).map(|place| place.address);
        place.or_else(|| function_address(self.module, name))
    }

    /// A variable of each thread.
    pub(super) fn declare_local(&mut self, variable: &Variable) -> Done {
        if let Some(problem) = &variable.unsupported {
            return Err(problem.clone());
        }
        let problem = |message| Problem::new(PtxErrorKind::Resources, variable.span.clone(), message);
        let Some(bytes) = variable.bytes().filter(|_| variable.elements > 0) else {
            return Err(problem(format!("local variable `{}` has no fixed size", variable.name)));
        };
        let start = u64::from(self.local_end).next_multiple_of(variable.align);
        let end = start.saturating_add(bytes);
        if end > LOCAL_BYTES {
            return Err(problem(format!("the local variables of a thread need more than {LOCAL_BYTES} bytes")));
        }
        self.local_end = end as u32;
        let align = LOCAL_ALIGN.max(variable.align as u32);
        if !self.recursion.keep_locals(self.local_end, align) {
            self.local_bytes = self.local_bytes.max(self.local_end).next_multiple_of(align);
        }
        self.local_register();
        let scope = self.scopes.last_mut().expect("the body of the kernel is a scope");
        match scope.locals.insert(variable.name.clone(), start as u32) {
            Some(_) => Err(declared_twice(&variable.name, &variable.span)),
            None => Ok(()),
        }
    }

    /// The register with the address of the thread's local memory.
    pub(super) fn local_register(&mut self) -> Reg {
        *self.local_base.get_or_insert_with(|| self.code.reg())
    }

    /// The address of a local variable.
    pub(super) fn local_address(&mut self, name: &str) -> Option<Value> {
        let start = self.scopes.iter().rev().find_map(|scope| scope.locals.get(name).copied())?;
        let base = self.recursion.frame().unwrap_or_else(|| self.local_register());
        Some(self.calc(Opcode::Add, Value::Reg(base), Value::Const(start)))
    }

    /// `a * b + c` of words.
    fn product_sum(&mut self, a: Value, b: Value, c: Value) -> Value {
        let dst = self.temp();
        self.op(Opcode::Mad, dst, [a, b, c]);
        Value::Reg(dst)
    }

    /// The operations before the first one of the kernel: the register with the address of the thread's local memory, behind those of the threads before it in
    /// the grid, and the one with the place of dynamic shared memory. `offset`: of the word with the address of all local memory.
    pub(super) fn begin(&mut self, offset: u32, exchange: Option<Exchange>) {
        let body = std::mem::take(&mut self.code.blocks);
        self.guard = Cond::TRUE;
        self.start_block();
        if let Some(base) = self.local_base {
            let special = |l: &mut Self, number: u32| l.calc(Opcode::S2r, Value::ZERO, Value::Const(number));
            // The place of (x, y, z) in a box; the numbers are those of x among the special registers.
            let place = |l: &mut Self, at: u32, size: u32| {
                let [x, y, z] = [0, 1, 2].map(|i| special(l, at + i));
                let [width, height] = [0, 1].map(|i| special(l, size + i));
                let row = l.product_sum(z, height, y);
                l.product_sum(row, width, x)
            };
            let (block, thread) = (place(self, 6, 9), place(self, 0, 3));
            let [x, y, z] = [3, 4, 5].map(|number| special(self, number));
            let threads = self.calc(Opcode::Mul, x, y);
            let threads = self.calc(Opcode::Mul, threads, z);
            let thread = self.product_sum(block, threads, thread);
            let all = self.calc(Opcode::LdP32, Value::ZERO, Value::Const(offset));
            let before_stack = self.reserve_stack();
            let own = self.calc(Opcode::Mul, thread, Value::Const(self.local_bytes));
            self.op(Opcode::Add, base, [all, own, Value::ZERO]);
            self.begin_stack(base, before_stack);
        }
        if let Some(start) = self.dynamic_shared {
            let at = self.dynamic_start();
            self.mov(start, Value::Const(at));
        }
        if let Some(exchange) = exchange {
            self.begin_exchange(exchange.offset);
        }
        if let Some(locks) = self.locks {
            self.begin_locks(locks);
        }
        let begun = std::mem::replace(&mut self.code.blocks, body).into_iter().flat_map(|block| block.ops);
        if let Some(first) = self.code.blocks.first_mut() {
            first.ops.splice(..0, begun);
        }
    }
}

impl Variable {
    /// What it holds at the start.
    pub(super) fn data(&self, bytes: u64) -> Result<Vec<u8>, Problem> {
        let mut data = self.initial.clone();
        if data.len() as u64 > bytes {
            let message = format!("`{}` has {bytes} bytes and {} initial ones", self.name, data.len());
            return Err(Problem::new(PtxErrorKind::Syntax, self.span.clone(), message));
        }
        data.resize(bytes as usize, 0);
        Ok(data)
    }
}

impl Pointer {
    fn fill(&self, address: u32, data: &mut [u8]) {
        let value = i64::from(address).wrapping_add(self.addend).to_le_bytes();
        if let Some(place) = data.get_mut(self.at..self.at + self.bytes.min(8)) {
            place.copy_from_slice(&value[..place.len()]);
        }
    }
}
