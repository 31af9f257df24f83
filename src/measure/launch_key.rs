//! What the result of a launch depends on, part by part: for the names of kept results, and to tell whether a launch is the
//! one that was saved.

use common::cache::Key;
use program::{Kernel, Launch, Placement};
use serde::{Deserialize, Serialize};
use std::{hash::Hash, ops::Range};

/// A digest of each part of a launch that has not begun, but for its name and its grid. What is new in a launch has to be
/// given its part in [`LaunchKeys::new`] before that compiles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LaunchKeys {
    /// Instructions, shared memory, textures and where they are.
    pub code: String,
    /// Arguments: what of them the kernel reads.
    pub arguments: String,
    /// Constants and where they are.
    pub constants: String,
    /// Addresses and sizes of allocations.
    pub allocations: String,
    /// What is in them.
    pub memory: String,
}

impl LaunchKeys {
    /// Of a launch with all of the device's memory.
    pub fn new(launch: &Launch) -> Self {
        let Launch { kernel, buffers, args, placement, name: _, grid: _, block: _, checks: _ } = launch;
        let none = Placement::default();
        let Placement { addresses, args: bytes, unbound_textures, window } = placement.as_ref().unwrap_or(&none);
        let mut code = kernel.clone();
        // Lines are for messages; the contents of constants are longer as text.
        code.source = None;
        let constants = std::mem::take(&mut code.constants);
        let sizes: Vec<_> = buffers.iter().map(|buffer| buffer.data.len()).collect();
        Self {
            code: digest([(format!("{code:?}"), unbound_textures)]),
            arguments: digest([(read_arguments(kernel, bytes), format!("{args:?}"))]),
            constants: digest(constants.iter().map(|constant| (&constant.name, constant.address, &constant.data))),
            allocations: digest([(placement.is_some(), addresses, window, sizes)]),
            memory: digest(buffers.iter().map(|buffer| &buffer.data)),
        }
    }

    /// `key` together with all of them.
    pub fn of_all(&self, key: Key) -> Key {
        let Self { code, arguments, constants, allocations, memory } = self;
        key.with([code, arguments, constants, allocations, memory])
    }
}

fn digest(things: impl IntoIterator<Item = impl Hash>) -> String {
    let key = things.into_iter().fold(Key::default(), Key::with);
    format!("{key:?}")
}

/// Arguments without the bytes that the kernel does not read: what lies between the fields of a structure is anything.
fn read_arguments(kernel: &Kernel, args: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let text = kernel.source.as_ref().map_or("", |source| &source.text);
    let read = |(param, arg): (&program::Param, &Vec<u8>)| {
        let mut read = vec![text.is_empty(); arg.len()];
        let mut mark = |bytes: Range<usize>| match read.get_mut(bytes) {
            Some(bytes) => bytes.fill(true),
            None => read.fill(true),
        };
        for line in text.lines().filter(|line| mentions(line, &param.name)) {
            match loaded(line, &param.name) {
                Some(bytes) => mark(bytes),
                None if line.trim_start().starts_with(".param") => {}
                // Its address, or something else.
                None => mark(0..arg.len()),
            }
        }
        arg.iter().zip(read).map(|(&byte, read)| if read { byte } else { 0 }).collect()
    };
    kernel.params.iter().zip(args).map(read).collect()
}

/// Whether a line has a name in it.
fn mentions(line: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
    line.match_indices(name).any(|(at, _)| !line[..at].ends_with(part) && !line[at + name.len()..].starts_with(part))
}

/// The bytes of a parameter that a line loads, if that is all that it does: `ld.param.v2.f32 {%f1, %f2}, [name+8];`.
fn loaded(line: &str, param: &str) -> Option<Range<usize>> {
    let (mnemonic, operands) = line.trim().strip_suffix(';')?.split_once(char::is_whitespace)?;
    let modifiers = mnemonic.strip_prefix("ld.param.")?;
    let (lanes, ty) = match modifiers.split_once('.') {
        None => (1, modifiers),
        Some(("v2", ty)) => (2, ty),
        Some(("v4", ty)) => (4, ty),
        Some(_) => return None,
    };
    let bits: usize = ty.strip_prefix(['b', 'u', 's', 'f'])?.parse().ok()?;
    let (_, place) = operands.split_once('[')?;
    let offset = place.strip_suffix(']')?.strip_prefix(param)?;
    let offset: usize = if offset.is_empty() { 0 } else { offset.strip_prefix('+')?.parse().ok()? };
    Some(offset..offset.checked_add(lanes * bits / 8)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Target, kernels};

    #[test]
    fn bytes_of_arguments_that_nobody_reads_do_not_count() {
        let ptx = ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(\n.param .align 8 .b8 s[32],\n.param .u32 n,\n.param .align 4 .b8 t[8]\n)\n{\n\
                   .reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 \t%rd1, [s+8];\nld.param.s8 %r1, [s+17];\nld.param.u32 %r2, [n];\nmov.b64 %rd2, t;\n\
                   add.u32 %r1, %r1, %r2;\nst.global.u32 [%rd1], %r1;\nst.global.u64 [%rd1], %rd2;\nret;\n}\n";
        let mut kernel =
            kernels::find("vector_add").expect("it is there").launch(None, 1, &Target::default()).expect("one").kernel;
        kernel.source = Some(std::sync::Arc::new(program::PtxSource { file: "k.ptx".into(), text: ptx.into() }));
        let param = |name: &str| program::Param { name: name.into(), ..kernel.params[0].clone() };
        kernel.params = vec![param("s"), param("n"), param("t")];
        let args = [vec![1; 32], vec![1; 4], vec![1; 8]];
        let read = read_arguments(&kernel, &args);
        assert_eq!(read[0][..18], [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1]);
        assert_eq!((read[0].iter().sum::<u8>(), &read[1..]), (9, &args[1..]));
        assert_eq!(loaded("ld.param.v2.f32 {%f1, %f2}, [s+8];", "s"), Some(8..16));
        for other in
            ["@%p1 ld.param.u32 %r1, [s];", "ld.param.u32 %r1, [st];", "ld.param.pred %p1, [s];", "mov.u64 %rd1, s;"]
        {
            assert_eq!(loaded(other, "s"), None, "{other}");
        }
    }
}
