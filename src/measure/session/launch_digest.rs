//! Whether a launch is the one that it was when the program ran before: everything that its result depends on, as
//! digests, part by part, so that a difference can be named.

use super::checkpoint::read_arguments;
use common::cache::Key;
use program::Launch;
use serde::{Deserialize, Serialize};
use std::hash::Hash;

/// A launch that has not begun, with all of the device's memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct LaunchDigest {
    /// Name of the kernel.
    pub kernel: String,
    /// Blocks in x, y, z.
    grid: [u32; 3],
    /// Threads of a block.
    block: [u32; 3],
    /// Instructions, shared memory, textures and where they are.
    code: String,
    arguments: String,
    constants: String,
    /// Addresses and sizes of allocations.
    allocations: String,
    /// What is in them.
    memory: String,
}

fn digest(things: impl IntoIterator<Item = impl Hash>) -> String {
    let key = things.into_iter().fold(Key::default(), Key::with);
    format!("{key:?}")
}

impl LaunchDigest {
    pub fn new(launch: &Launch) -> Self {
        let mut kernel = launch.kernel.clone();
        // Lines are for messages; the contents of constants are longer as text.
        kernel.source = None;
        let constants = std::mem::take(&mut kernel.constants);
        let (arguments, addresses) = match &launch.placement {
            Some(placement) => (read_arguments(&launch.kernel, &placement.args), &placement.addresses[..]),
            None => (vec![], &[][..]),
        };
        let sizes = launch.buffers.iter().map(|buffer| buffer.data.len());
        Self {
            kernel: launch.name.clone(),
            grid: launch.grid,
            block: launch.block,
            code: digest([format!("{kernel:?}")]),
            arguments: digest([(arguments, format!("{:?}", launch.args))]),
            constants: digest(constants.iter().map(|constant| (&constant.name, constant.address, &constant.data))),
            allocations: digest([(addresses, sizes.collect::<Vec<_>>())]),
            memory: digest(launch.buffers.iter().map(|buffer| &buffer.data)),
        }
    }

    /// What is another thing than in `there`, with both values where they are short.
    pub fn difference(&self, there: &Self) -> Option<String> {
        let shape = |[x, y, z]: [u32; 3]| format!("{x} x {y} x {z}");
        let shown = [
            ("the kernel", self.kernel.clone(), there.kernel.clone()),
            ("the grid", shape(self.grid), shape(there.grid)),
            ("the block", shape(self.block), shape(there.block)),
        ];
        let shown = shown.into_iter().find(|(_, here, there)| here != there);
        let shown = shown.map(|(what, here, there)| format!("{what} is {there} there and {here} here"));
        let hidden = [
            ("its code or where its textures are", &self.code, &there.code),
            ("its arguments", &self.arguments, &there.arguments),
            ("its constants", &self.constants, &there.constants),
            ("addresses or sizes of allocations", &self.allocations, &there.allocations),
            ("what the host has put into memory before it", &self.memory, &there.memory),
        ];
        let hidden = hidden.into_iter().find(|(_, here, there)| here != there);
        shown.or(hidden.map(|(what, ..)| format!("{what} differ{}", if what.starts_with("what") { "s" } else { "" })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Placement, Target, kernels};

    #[test]
    fn whatever_a_launch_depends_on_is_named_when_it_differs() {
        let builtin = kernels::find("vector_add").expect("it is there");
        let mut launch = builtin.launch(None, 1, &Target::default()).expect("it can be launched");
        let args = launch.kernel.params.iter().map(|param| vec![1; param.size as usize]).collect();
        let addresses = vec![256; launch.buffers.len()];
        launch.placement = Some(Placement { addresses, args, unbound_textures: false, window: 0 });
        let there = LaunchDigest::new(&launch);
        assert_eq!(there.difference(&there.clone()), None);
        let told = |change: fn(&mut Launch)| {
            let mut other = launch.clone();
            change(&mut other);
            LaunchDigest::new(&other).difference(&there).unwrap_or_default()
        };
        let placement = |launch: &mut Launch| launch.placement.take().expect("it has one");
        assert_eq!(told(|launch| launch.name = "k".into()), "the kernel is vector_add there and k here");
        assert!(told(|launch| launch.grid = [7, 2, 1]).ends_with("there and 7 x 2 x 1 here"));
        assert!(told(|launch| launch.block[0] += 1).starts_with("the block is "));
        assert_eq!(told(|launch| launch.kernel.code[0] ^= 1), "its code or where its textures are differ");
        assert_eq!(
            told(|launch| launch.buffers[0].data[0] ^= 1),
            "what the host has put into memory before it differs"
        );
        assert_eq!(told(|launch| launch.buffers[0].data.push(0)), "addresses or sizes of allocations differ");
        let mut other = launch.clone();
        let mut moved = placement(&mut other);
        moved.args[0][0] ^= 1;
        other.placement = Some(moved);
        assert_eq!(LaunchDigest::new(&other).difference(&there).as_deref(), Some("its arguments differ"));
    }
}
