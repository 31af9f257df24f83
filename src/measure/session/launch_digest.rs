//! Whether a launch is the one that it was when the program ran before: everything that its result depends on, as
//! digests, part by part, so that a difference can be named.

use crate::launch_key::LaunchKeys;
use program::Launch;
use serde::{Deserialize, Serialize};

/// A launch that has not begun, with all of the device's memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct LaunchDigest {
    /// Name of the kernel.
    pub kernel: String,
    /// Blocks in x, y, z.
    grid: [u32; 3],
    /// Threads of a block.
    block: [u32; 3],
    parts: LaunchKeys,
}

impl LaunchDigest {
    pub fn new(launch: &Launch) -> Self {
        let (grid, block) = (launch.grid, launch.block);
        Self { kernel: launch.name.clone(), grid, block, parts: LaunchKeys::new(launch) }
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
        let (here, there) = (&self.parts, &there.parts);
        let hidden = [
            ("its code or where its textures are", &here.code, &there.code),
            ("its arguments", &here.arguments, &there.arguments),
            ("its constants", &here.constants, &there.constants),
            ("addresses or sizes of allocations", &here.allocations, &there.allocations),
            ("what the host has put into memory before it", &here.memory, &there.memory),
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
        for (change, says) in [
            ((|placement| placement.args[0][0] ^= 1) as fn(&mut Placement), "its arguments differ"),
            (|placement| placement.addresses[0] += 256, "addresses or sizes of allocations differ"),
            (|placement| placement.window = 1, "addresses or sizes of allocations differ"),
            (|placement| placement.unbound_textures = true, "its code or where its textures are differ"),
        ] {
            let mut other = launch.clone();
            let mut moved = placement(&mut other);
            change(&mut moved);
            other.placement = Some(moved);
            assert_eq!(LaunchDigest::new(&other).difference(&there).as_deref(), Some(says));
        }
    }
}
