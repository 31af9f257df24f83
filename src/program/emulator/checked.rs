//! A launch in code for checks on memory: buffers elsewhere, a limit that may be lowered meanwhile, one access of
//! interest.

use super::{
    compiled::execute_checked,
    error::EmulationError,
    hazards::{CheckKinds, Hazards},
    lockstep,
    machine::EmulatedBlocks,
    pieces::Pieces,
    places::blocks,
};
use crate::{compile::checked::CheckedCode, launch::Launch};
use std::sync::atomic::{AtomicU64, Ordering};

/// How a launch is to be run.
pub(crate) struct EmulationWatch<'a> {
    /// Where the buffers are, in ascending order.
    pub addresses: &'a [u32],
    /// Who is before whom.
    pub order: AccessOrder,
    /// Thread instructions after which it stops; may be lowered meanwhile.
    pub limit: &'a AtomicU64,
    /// The thread instruction whose access is of interest: by number, from 1, and thread.
    pub watched: Option<(u64, [u32; 3])>,
    /// What is looked for beside addresses.
    pub check_kinds: CheckKinds,
}

/// Who is before whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AccessOrder {
    /// Warps one after the other, the threads of each together.
    Warps,
    /// Threads one after the other.
    Threads,
}

/// Thread instructions that are not worth compiling for.
const SOON: u64 = 1 << 20;

/// Runs to the end, or to the first bad access; also tells how many thread instructions that took.
pub(crate) fn run_checked(
    launch: &Launch,
    code: &CheckedCode,
    watch: &EmulationWatch,
) -> (Result<(), EmulationError>, u64) {
    let soon = AtomicU64::new(SOON);
    let interpret = |limit| {
        let mut machine = machine(launch, code, watch, limit);
        let outcome = lockstep::execute(&mut machine).map(drop);
        (outcome, machine.executed)
    };
    if !launch.kernel.in_step && watch.order == AccessOrder::Threads {
        let mut machine = machine(launch, code, watch, watch.limit);
        let outcome = blocks(launch).try_for_each(|block| machine.block(block));
        return (outcome, machine.executed);
    }
    let is_plain = !watch.check_kinds.any() && watch.watched.is_none();
    if is_plain && watch.limit.load(Ordering::Relaxed) > SOON {
        if code.compiled.get().is_none() {
            let (outcome, executed) = interpret(&soon);
            if !matches!(outcome, Err(EmulationError::Limit { .. })) {
                return (outcome, executed);
            }
        }
        let mut machine = machine(launch, code, watch, watch.limit);
        if let Some(outcome) = execute_checked(&mut machine, code) {
            return (outcome, machine.executed);
        }
    }
    interpret(watch.limit)
}

/// At the start of a launch, with a limit.
fn machine<'a>(
    launch: &'a Launch,
    code: &'a CheckedCode,
    watch: &EmulationWatch,
    limit: &'a AtomicU64,
) -> EmulatedBlocks<'a> {
    let (memory, param) = (Pieces::buffers(launch, watch.addresses), launch.param_words_with(watch.addresses));
    let local = watch.addresses.get(launch.buffers.len()).map_or(0..0, |&start| {
        let start = u64::from(start);
        start..start + launch.local_bytes() as u64
    });
    EmulatedBlocks {
        accesses: &code.accesses,
        shared_limit: Some(limit),
        watched: watch.watched,
        hazards: watch.check_kinds.any().then(|| Hazards::new(watch.check_kinds, local)),
        ..EmulatedBlocks::with(launch, code.code.clone(), &code.lines, memory, &param)
    }
}

/// Thread instructions between looks at a limit that somebody else may lower.
const LOOK: u64 = 1 << 14;

impl EmulatedBlocks<'_> {
    /// Goes on when the limit allows it.
    pub(super) fn look_at_limit(&mut self) -> Result<(), EmulationError> {
        let limit = self.shared_limit.map_or(self.limit, |limit| limit.load(Ordering::Relaxed));
        if self.executed > limit {
            return Err(EmulationError::Limit { limit });
        }
        self.limit = limit.min(self.executed + LOOK);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Argument, Buffer, Target, compile,
        emulator::{BadAccess, Fault},
        kernels,
    };

    /// How a launch ends and how long it takes, which has to be the same for both engines, and so has memory.
    fn both(launch: &Launch) -> (Result<(), EmulationError>, u64) {
        launch.validate().unwrap_or_else(|e| panic!("{e}"));
        let code = CheckedCode::of(&launch.kernel);
        let moved = |(i, address): (usize, u32)| address + (i as u32 + 1) * (1 << 24);
        let addresses: Vec<u32> = launch.addresses().into_iter().enumerate().map(moved).collect();
        let limit = AtomicU64::new(1 << 24);
        let watch = EmulationWatch {
            addresses: &addresses,
            order: AccessOrder::Warps,
            limit: &limit,
            watched: None,
            check_kinds: CheckKinds::default(),
        };
        let [mut interpreted, mut compiled] = [0; 2].map(|_| machine(launch, &code, &watch, &limit));
        let expected = lockstep::execute(&mut interpreted).map(drop);
        let found = execute_checked(&mut compiled, &code).expect("there is machine code");
        assert_eq!((&found, compiled.executed), (&expected, interpreted.executed), "{}", launch.name);
        for start in &addresses {
            let [a, b] = [&mut interpreted, &mut compiled]
                .map(|machine| machine.memory.find((*start).into(), 4).map(|b| b.to_vec()));
            assert_eq!(a, b, "{}", launch.name);
        }
        (expected, compiled.executed)
    }

    #[test]
    fn kernels_do_the_same_in_machine_code() {
        for kernel in kernels::every() {
            let size = kernel.default_size.min(200);
            let launch = kernel.launch(Some(size), 1, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
            both(&launch).0.unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
            // Every buffer too short in turn.
            for buffer in 0..launch.buffers.len() {
                let mut short = launch.clone();
                short.checks.clear();
                short.kernel.textures.clear();
                let data = &mut short.buffers[buffer].data;
                data.truncate((data.len() * 3 / 5).max(4));
                if launch.kernel.textures.is_empty() {
                    _ = both(&short);
                }
            }
        }
    }

    #[test]
    fn vectors_and_high_words_are_looked_at() {
        let ptx = ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry move(.param .u64 in, .param .u64 out, .param .u64 by)\n{\n\
                   .reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .pred %p<2>;\nmov.u32 %r1, %tid.x;\nld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\n\
                   ld.param.u64 %d5, [by];\nmul.wide.u32 %d3, %r1, 16;\nadd.s64 %d4, %d1, %d3;\nsetp.eq.s32 %p1, %r1, 37;\n\
                   @%p1 add.s64 %d4, %d4, %d5;\nld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d4];\nadd.s64 %d3, %d2, %d3;\n\
                   st.global.v2.u32 [%d3], {%r5, %r3};\nst.global.v2.u32 [%d3+8], {%r4, %r2};\nret;\n}\n";
        let kernel = compile(ptx, "move.ptx", None, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
        let fault = |by: u64| {
            let words = |name| Buffer::words(name, 0..4 * 64);
            let launch = Launch {
                name: format!("by {by:#x}"),
                kernel: kernel.clone(),
                grid: [2, 1, 1],
                block: [64, 1, 1],
                buffers: vec![words("in"), words("out")],
                args: vec![Argument::Buffer(0), Argument::Buffer(1), Argument::Long(by)],
                checks: vec![],
                placement: None,
            };
            match both(&launch).0 {
                Err(EmulationError::Access(bad)) => {
                    let BadAccess { fault, thread, .. } = *bad;
                    assert_eq!(thread, [37, 0, 0]);
                    Some(fault)
                }
                other => other.map(|()| None).unwrap_or_else(|e| panic!("{e}")),
            }
        };
        assert_eq!([0, 16, 8, 4].map(fault), [None, None, Some(Fault::Unaligned), Some(Fault::Unaligned)]);
        assert_eq!(
            [1 << 32, 3 << 32, 1 << 12].map(fault),
            [Some(Fault::Wide), Some(Fault::Wide), Some(Fault::Outside)]
        );
    }
}
