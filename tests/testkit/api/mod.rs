//! Random sequences of calls of the CUDA runtime, most arguments right and some wrong, beside a model of the device:
//! memory as arrays of the host, and the error that each call has to give. A difference is told with the calls before
//! it. [`memory`], [`launch`], [`handles`], [`graphs`], [`surfaces`] and [`misuse`] have the calls, [`program`] what
//! they are declared as.

mod graphs;
mod handles;
mod launch;
mod memory;
mod misuse;
mod program;
mod surfaces;

pub use program::register;
use program::*;
use warpmesh::program::random::Random;

/// What the runtime says, by the numbers of CUDA.
const INVALID_VALUE: i32 = 1;
const MEMORY_ALLOCATION: i32 = 2;
const INVALID_CONFIGURATION: i32 = 9;
const INVALID_SYMBOL: i32 = 13;
/// What CUDA says of pointers that are none of the memory that is meant, and of arrays that are none.
const INVALID_POINTER: i32 = INVALID_VALUE;
const INVALID_PITCH: i32 = 12;
const INVALID_TEXTURE: i32 = 18;
const INVALID_CHANNEL_DESCRIPTOR: i32 = 20;
const INVALID_CHANNELS: i32 = 20;
const INVALID_DIRECTION: i32 = 21;
const INVALID_FUNCTION: i32 = 98;
const INVALID_HANDLE: i32 = 400;
const ILLEGAL_ADDRESS: i32 = 700;
const MISALIGNED_ADDRESS: i32 = 716;
const ALREADY_REGISTERED: i32 = 712;
const NOT_REGISTERED: i32 = 713;
const LAUNCH_FAILURE: i32 = 719;
const CAPTURE_UNSUPPORTED: i32 = 900;
const CAPTURE_UNMATCHED: i32 = 903;

/// Bytes of each of the two variables.
const SYMBOL: usize = 64;
/// Bytes of the host's memory.
const HOST: usize = 4096;
/// Threads of a block that the chip of the campaign has room for.
const THREADS: u32 = 256;
/// Pointers to where no program has memory.
const NOWHERE: [usize; 4] = [0x10, 0x1001, 0x7fff_ffff_f001, 0xdead_beef_dead_beef];
/// Texels of one float.
const FLOAT: [i32; 5] = [32, 0, 0, 0, 2];

/// Memory of the device, as the model has it.
struct ApiRegion {
    at: usize,
    data: Vec<u8>,
    alive: bool,
    /// One of the program's.
    variable: bool,
}

struct ApiArray {
    handle: usize,
    alive: bool,
    width: usize,
    height: usize,
    /// In two dimensions.
    plane: bool,
    /// Kernels may write it.
    surface: bool,
    data: Vec<u8>,
}

/// Where a pointer points to.
#[derive(Clone, Copy, PartialEq)]
enum PointerTarget {
    Null,
    Host(usize),
    Device(usize, usize),
    /// The device's by its number, and nobody's.
    Stray,
    /// The host's by its number.
    Elsewhere,
}

/// What a sequence has come to.
pub struct Sequence {
    random: Random,
    regions: Vec<ApiRegion>,
    arrays: Vec<ApiArray>,
    streams: Vec<(usize, bool)>,
    events: Vec<(usize, bool, bool)>,
    bound: Option<(usize, usize)>,
    host: Box<[u8; HOST]>,
    model: Vec<u8>,
    last: i32,
    /// A kernel has failed: its error is that of every later call.
    stays: bool,
    sticky: i32,
    log: Vec<String>,
    /// Memory of the host that the runtime has given, and whether it is there still.
    pinned: Vec<(usize, bool)>,
    /// Parts of the host's memory that are registered: where each begins, of [`misuse::PART`] bytes.
    registered: Vec<usize>,
    graphs: Vec<graphs::Launchable>,
    pools: Vec<(usize, bool)>,
    surfaces: Vec<surfaces::Surface>,
}

/// A sequence of calls; how many there were.
pub fn sequence(seed: u64) -> Result<u64, String> {
    // SAFETY: no arguments.
    unsafe { cudaDeviceReset() };
    let (host, model) = (Box::new([0; HOST]), vec![0; HOST]);
    let mut sequence = Sequence {
        random: Random::new(seed),
        regions: vec![],
        arrays: vec![],
        streams: vec![],
        events: vec![],
        bound: None,
        host,
        model,
        last: 0,
        stays: false,
        sticky: ILLEGAL_ADDRESS,
        log: vec![],
        pinned: vec![],
        registered: vec![],
        graphs: vec![],
        pools: vec![],
        surfaces: vec![],
    };
    let outcome = sequence.run();
    outcome.map_err(|problem| format!("seed {seed}: {problem}\n  {}", sequence.log.join("\n  ")))
}

impl Sequence {
    fn run(&mut self) -> Result<u64, String> {
        for (i, byte) in self.host.iter_mut().enumerate() {
            *byte = (i * 7 % 251) as u8;
        }
        self.model.copy_from_slice(&self.host[..]);
        self.variables();
        let calls = 5 + self.below(40);
        for _ in 0..calls {
            self.step()?;
        }
        self.compare()?;
        Ok(calls as u64)
    }

    /// Variables have their initial values; nobody knows where they are.
    fn variables(&mut self) {
        for start in [10u32, 100] {
            let data = (start..start + 16).flat_map(u32::to_le_bytes).collect();
            self.regions.push(ApiRegion { at: 0, data, alive: true, variable: true });
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    /// One of ten, or so.
    fn wrong(&mut self) -> bool {
        self.below(10) == 0
    }

    /// A call's code is what it should be.
    fn expect(&mut self, call: String, found: i32, expected: i32) -> Result<bool, String> {
        let expected = if self.stays { self.sticky } else { expected };
        self.log.push(format!("{call} = {found}"));
        if found != expected {
            return Err(format!("the last call should give {expected}"));
        }
        if !self.stays && found != 0 {
            self.last = found;
        }
        Ok(found == 0)
    }

    fn place(&self, pointer: usize) -> PointerTarget {
        let host = self.host.as_ptr() as usize;
        if pointer == 0 {
            return PointerTarget::Null;
        }
        if (host..=host + HOST).contains(&pointer) {
            return PointerTarget::Host(pointer - host);
        }
        let of = |region: &ApiRegion| {
            region.at != 0 && region.alive && (region.at..=region.at + region.data.len()).contains(&pointer)
        };
        match self.regions.iter().position(of) {
            Some(region) => PointerTarget::Device(region, pointer - self.regions[region].at),
            None if pointer >> 32 == 0x2000 => PointerTarget::Stray,
            None => PointerTarget::Elsewhere,
        }
    }

    fn is_device(place: PointerTarget) -> bool {
        matches!(place, PointerTarget::Device(..) | PointerTarget::Stray)
    }

    /// Whether `bytes` from a place on are memory.
    fn holds(&self, place: PointerTarget, bytes: usize) -> bool {
        let size = |place: PointerTarget| match place {
            PointerTarget::Device(region, at) => Some((at, self.regions[region].data.len())),
            PointerTarget::Host(at) => Some((at, HOST)),
            _ => None,
        };
        size(place).is_some_and(|(at, size)| at.checked_add(bytes).is_some_and(|end| end <= size))
    }

    /// A pointer to memory of the device, mostly.
    fn device(&mut self) -> usize {
        // Nobody knows where an array is: with some, only what is not theirs.
        let sure = !self.arrays.is_empty();
        let known = |region: &ApiRegion| region.at != 0 && (region.alive || !sure);
        let known: Vec<usize> = (0..self.regions.len()).filter(|&i| known(&self.regions[i])).collect();
        if known.is_empty() || self.below(12) == 0 {
            let host = self.host.as_ptr() as usize;
            return [0, host + 16, 0x2000_0000_0000, 0x2000_0000_012c, 0x2000_ffff_fff0, 0x2000_3fff_ff00]
                [self.below(6)];
        }
        let region = known[self.below(known.len())];
        let ApiRegion { at, ref data, .. } = self.regions[region];
        let size = data.len();
        match self.below(8) {
            0 => at + self.below(size + 1),
            1 => at + self.below(size / 4 + 1) * 4,
            2 | 3 if sure => at,
            2 => at.wrapping_sub(1 + self.below(300)),
            3 => at + size + self.below(300),
            _ => at,
        }
    }

    fn pointer(&mut self) -> usize {
        match self.below(2) {
            0 if self.below(16) == 0 => NOWHERE[self.below(4)],
            0 => self.host.as_ptr() as usize + self.below(HOST / 64) * 64,
            _ => self.device(),
        }
    }

    fn size(&mut self, of: usize) -> usize {
        let room = match self.place(of) {
            PointerTarget::Device(region, at) => self.regions[region].data.len() - at,
            PointerTarget::Host(at) => HOST - at,
            _ => 64,
        };
        match self.below(12) {
            0 => 0,
            1 => room + 1,
            2 => [1 << 20, 1 << 31, 1 << 40, usize::MAX, usize::MAX - 255][self.below(5)],
            3 | 4 => room,
            _ => self.below(room.min(600) + 1),
        }
    }

    fn kind(&mut self, to: usize, from: usize) -> i32 {
        let (to, from) = (Self::is_device(self.place(to)), Self::is_device(self.place(from)));
        match (self.below(12), to, from) {
            (0, ..) => self.below(7) as i32 - 1,
            (1 | 2, ..) => 4,
            (_, false, false) => 0,
            (_, true, false) => 1,
            (_, false, true) => 2,
            (_, true, true) => 3,
        }
    }

    /// What is wrong with the ends of a copy, if anything is.
    fn direction(&self, to: usize, from: usize, bytes: usize, kind: i32) -> i32 {
        let said = match kind {
            0 => [Some(false), Some(false)],
            1 => [Some(false), Some(true)],
            2 => [Some(true), Some(false)],
            3 => [Some(true), Some(true)],
            4 => [None, None],
            _ => return INVALID_DIRECTION,
        };
        if bytes == 0 {
            return 0;
        }
        for (pointer, said) in [from, to].into_iter().zip(said) {
            let place = self.place(pointer);
            if place == PointerTarget::Null || said.is_some_and(|said| said != Self::is_device(place)) {
                return INVALID_VALUE;
            }
        }
        0
    }

    /// Whether there is no memory of anybody's at a place, as the system tells.
    fn is_nowhere(&self, pointer: usize, bytes: usize) -> bool {
        bytes > 0 && self.place(pointer) == PointerTarget::Elsewhere && NOWHERE.contains(&pointer)
    }

    /// Whether the host would be hurt: a copy that is right for the device, and not for the host.
    fn hurts(&self, pointer: usize, bytes: usize) -> bool {
        let place = self.place(pointer);
        let nobody_knows =
            bytes > 0 && place != PointerTarget::Null && !Self::is_device(place) && !self.holds(place, bytes);
        nobody_knows && !self.is_nowhere(pointer, bytes)
    }

    fn read(&self, place: PointerTarget, bytes: usize) -> Vec<u8> {
        match place {
            PointerTarget::Device(region, at) => self.regions[region].data[at..at + bytes].to_vec(),
            PointerTarget::Host(at) => self.model[at..at + bytes].to_vec(),
            _ => vec![],
        }
    }

    fn write(&mut self, place: PointerTarget, data: &[u8]) {
        match place {
            PointerTarget::Device(region, at) => self.regions[region].data[at..at + data.len()].copy_from_slice(data),
            PointerTarget::Host(at) => self.model[at..at + data.len()].copy_from_slice(data),
            _ => {}
        }
    }

    fn step(&mut self) -> Result<(), String> {
        match self.below(42) {
            0..=4 => self.malloc(),
            5 => self.free(),
            6..=10 => self.copy(),
            11 | 12 => self.copy_rows(),
            13 | 14 => self.fill(),
            15..=17 => self.symbol(),
            18..=23 => self.launch(),
            24 => self.stream(),
            25 => self.event(),
            26 => self.texture(),
            27 | 28 => self.array(),
            29..=31 => self.misuse(),
            34 | 35 => self.capture(),
            36 | 37 => self.launch_graph(),
            38 | 39 => self.pool(),
            40 | 41 => self.surface(),
            32 if self.below(6) == 0 => self.reset(),
            _ => {
                // SAFETY: no arguments.
                let (forget, found) = match self.below(2) {
                    // SAFETY: always possible.
                    0 => (true, unsafe { cudaGetLastError() }),
                    // SAFETY: always possible.
                    _ => (false, unsafe { cudaPeekAtLastError() }),
                };
                let expected = if self.stays { self.sticky } else { self.last };
                self.log.push(format!("last error = {found}"));
                if forget {
                    self.last = 0;
                }
                if found == expected { Ok(()) } else { Err(format!("the last error should be {expected}")) }
            }
        }
    }

    /// Memory is what the model says.
    fn compare(&mut self) -> Result<(), String> {
        if self.model[..] != self.host[..] {
            return Err("the host's memory is another".into());
        }
        if self.stays {
            return Ok(());
        }
        for (i, region) in self.regions.iter().enumerate().filter(|(_, region)| region.alive) {
            let mut found = vec![0u8; region.data.len()];
            let to = found.as_mut_ptr().cast();
            // SAFETY: as long as it has to be.
            let code = unsafe {
                match region.at {
                    0 => cudaMemcpyFromSymbol(to, address(&SHADOWS[i]), found.len(), 0, 2),
                    at => cudaMemcpy(to, at as Pointer, found.len(), 2),
                }
            };
            if code != 0 || found != region.data {
                return Err(format!("region {i} at {:#x} is another ({code})", region.at));
            }
        }
        for array in self.arrays.iter().filter(|array| array.alive) {
            let mut found = vec![0u8; array.data.len()];
            // SAFETY: as long as it has to be.
            let code = unsafe {
                cudaMemcpyFromArray(found.as_mut_ptr().cast(), array.handle as Pointer, 0, 0, found.len(), 2)
            };
            if code != 0 || found != array.data {
                return Err(format!("array {:#x} is another ({code})", array.handle));
            }
        }
        Ok(())
    }
}
