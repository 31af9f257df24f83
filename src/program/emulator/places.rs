//! Places in a launch: blocks of its grid, threads of a block, and where an instruction is executed.

use crate::launch::Launch;

/// Who does what.
#[derive(Clone, Copy)]
pub struct At {
    pub pc: usize,
    pub block: [u32; 3],
    pub thread: [u32; 3],
}

/// Thread blocks in order: x fastest.
pub fn blocks(launch: &Launch) -> impl Iterator<Item = [u32; 3]> {
    let [gx, gy, gz] = launch.grid;
    (0..gz).flat_map(move |z| (0..gy).flat_map(move |y| (0..gx).map(move |x| [x, y, z])))
}

/// Index in a block of that shape of the thread with that number.
pub fn index_of(linear: u32, [width, height, _]: [u32; 3]) -> [u32; 3] {
    [linear % width, linear / width % height, linear / (width * height)]
}

/// The number of a thread in its block.
pub fn number_of([x, y, z]: [u32; 3], [width, height, _]: [u32; 3]) -> u32 {
    (z * height + y) * width + x
}
