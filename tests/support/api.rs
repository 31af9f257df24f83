//! Random sequences of calls of the CUDA runtime, most arguments right and some wrong, beside a model of the device: memory as arrays of the
//! host, and the error that each call has to give. A difference is told with the calls before it.

use std::ffi::c_void;
use warpmesh::{cuda::container, program::link::Unit, program::random::Random};

type Pointer = *mut c_void;

#[repr(C)]
#[derive(Clone, Copy)]
struct Dim3 {
    x: u32,
    y: u32,
    z: u32,
}

#[repr(C)]
struct Wrapper {
    magic: u32,
    version: u32,
    data: *const u8,
    unused: Pointer,
}

unsafe extern "C" {
    fn __cudaRegisterFatBinary(wrapper: *const Wrapper) -> *mut Pointer;
    fn __cudaRegisterFunction(
        handle: *mut Pointer,
        function: Pointer,
        device: *mut i8,
        name: *const i8,
        threads: i32,
        a: Pointer,
        b: Pointer,
        c: Pointer,
        d: Pointer,
        e: *mut i32,
    ) -> i32;
    fn __cudaRegisterVar(
        handle: *mut Pointer,
        shadow: Pointer,
        device: *mut i8,
        name: *const i8,
        external: i32,
        bytes: usize,
        constant: i32,
        global: i32,
    );
    fn __cudaRegisterTexture(
        handle: *mut Pointer,
        reference: Pointer,
        device: *const Pointer,
        name: *const i8,
        dimensions: i32,
        normalized: i32,
        external: i32,
    );
    fn cudaDeviceReset() -> i32;
    fn cudaGetLastError() -> i32;
    fn cudaPeekAtLastError() -> i32;
    fn cudaMalloc(pointer: *mut Pointer, bytes: usize) -> i32;
    fn cudaFree(pointer: Pointer) -> i32;
    fn cudaMemcpy(to: Pointer, from: Pointer, bytes: usize, kind: i32) -> i32;
    fn cudaMemcpyAsync(to: Pointer, from: Pointer, bytes: usize, kind: i32, stream: Pointer) -> i32;
    fn cudaMemcpy2D(to: Pointer, tp: usize, from: Pointer, fp: usize, width: usize, height: usize, kind: i32) -> i32;
    fn cudaMemset(pointer: Pointer, value: i32, bytes: usize) -> i32;
    fn cudaMemset2D(pointer: Pointer, pitch: usize, value: i32, width: usize, height: usize) -> i32;
    fn cudaMemcpyToSymbol(symbol: Pointer, from: Pointer, bytes: usize, offset: usize, kind: i32) -> i32;
    fn cudaMemcpyFromSymbol(to: Pointer, symbol: Pointer, bytes: usize, offset: usize, kind: i32) -> i32;
    fn cudaGetSymbolAddress(pointer: *mut Pointer, symbol: Pointer) -> i32;
    fn cudaLaunchKernel(f: Pointer, grid: Dim3, block: Dim3, args: *mut Pointer, shared: usize, stream: Pointer)
    -> i32;
    fn cudaStreamCreate(stream: *mut Pointer) -> i32;
    fn cudaStreamDestroy(stream: Pointer) -> i32;
    fn cudaStreamSynchronize(stream: Pointer) -> i32;
    fn cudaEventCreate(event: *mut Pointer) -> i32;
    fn cudaEventDestroy(event: Pointer) -> i32;
    fn cudaEventRecord(event: Pointer, stream: Pointer) -> i32;
    fn cudaEventElapsedTime(milliseconds: *mut f32, start: Pointer, stop: Pointer) -> i32;
    fn cudaBindTexture(
        offset: *mut usize,
        texture: Pointer,
        pointer: Pointer,
        desc: *const [i32; 5],
        bytes: usize,
    ) -> i32;
    fn cudaUnbindTexture(texture: Pointer) -> i32;
    fn cudaMallocArray(array: *mut Pointer, desc: *const [i32; 5], width: usize, height: usize, flags: u32) -> i32;
    fn cudaFreeArray(array: Pointer) -> i32;
    fn cudaMemcpyToArray(to: Pointer, x: usize, y: usize, from: Pointer, bytes: usize, kind: i32) -> i32;
    fn cudaMemcpyFromArray(to: Pointer, from: Pointer, x: usize, y: usize, bytes: usize, kind: i32) -> i32;
}

/// What the runtime says, by the numbers of CUDA.
const INVALID_VALUE: i32 = 1;
const MEMORY_ALLOCATION: i32 = 2;
const INVALID_CONFIGURATION: i32 = 9;
const INVALID_SYMBOL: i32 = 13;
const INVALID_POINTER: i32 = 17;
const INVALID_TEXTURE: i32 = 18;
const NOT_BOUND: i32 = 19;
const INVALID_CHANNELS: i32 = 20;
const INVALID_DIRECTION: i32 = 21;
const INVALID_FUNCTION: i32 = 98;
const INVALID_HANDLE: i32 = 400;
const ILLEGAL_ADDRESS: i32 = 700;
const OUT_OF_RESOURCES: i32 = 701;

const PTX: &str = include_str!("api.ptx");
/// Bytes of each of the two variables.
const SYMBOL: usize = 64;
/// Bytes of the host's memory.
const HOST: usize = 4096;
/// Threads of a block that the chip of the campaign has room for.
const THREADS: u32 = 256;
/// Texels of one float.
const FLOAT: [i32; 5] = [32, 0, 0, 0, 2];

/// The addresses by which the program knows its kernels, variables and texture.
static FUNCTIONS: [u8; 4] = [0; 4];
static SHADOWS: [[u8; SYMBOL]; 2] = [[0; SYMBOL]; 2];
static REFERENCE: [i32; 10] = [0; 10];

fn address<T>(of: &T) -> Pointer {
    (&raw const *of).cast_mut().cast()
}

/// Tells the runtime of the program, once in a process.
pub fn register() {
    let unit = Unit { file: "api.cu".into(), text: PTX.into(), relocatable: false };
    let data = container::pack(&unit).leak().as_ptr();
    let wrapper = Wrapper { magic: 0x466243b1, version: 1, data, unused: std::ptr::null_mut() };
    let null = std::ptr::null_mut::<c_void>();
    // SAFETY: what the compiler's start-up code does.
    unsafe {
        let handle = __cudaRegisterFatBinary(&raw const wrapper);
        for (function, name) in FUNCTIONS.iter().zip([c"fill", c"mix", c"symbols", c"fetch"]) {
            let none = std::ptr::null_mut();
            let name = name.as_ptr().cast();
            __cudaRegisterFunction(handle, address(function), none, name, -1, null, null, null, null, none.cast());
        }
        for (i, name) in [c"var", c"con"].into_iter().enumerate() {
            let none = std::ptr::null_mut();
            __cudaRegisterVar(handle, address(&SHADOWS[i]), none, name.as_ptr().cast(), 0, SYMBOL, i as i32, 0);
        }
        __cudaRegisterTexture(handle, address(&REFERENCE), std::ptr::null(), c"tr".as_ptr().cast(), 1, 0, 0);
    }
}

/// Memory of the device, as the model has it.
struct Region {
    at: usize,
    data: Vec<u8>,
    alive: bool,
    /// One of the program's.
    variable: bool,
}

struct Array {
    handle: usize,
    alive: bool,
    width: usize,
    height: usize,
    data: Vec<u8>,
}

/// Where a pointer points to.
#[derive(Clone, Copy, PartialEq)]
enum Place {
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
    regions: Vec<Region>,
    arrays: Vec<Array>,
    streams: Vec<(usize, bool)>,
    events: Vec<(usize, bool, bool)>,
    bound: Option<(usize, usize)>,
    host: Box<[u8; HOST]>,
    model: Vec<u8>,
    last: i32,
    stays: bool,
    log: Vec<String>,
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
        log: vec![],
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
        // Variables have their initial values; nobody knows where they are.
        for start in [10u32, 100] {
            let data = (start..start + 16).flat_map(u32::to_le_bytes).collect();
            self.regions.push(Region { at: 0, data, alive: true, variable: true });
        }
        let calls = 5 + self.below(40);
        for _ in 0..calls {
            self.step()?;
        }
        self.compare()?;
        Ok(calls as u64)
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
        let expected = if self.stays { ILLEGAL_ADDRESS } else { expected };
        self.log.push(format!("{call} = {found}"));
        if found != expected {
            return Err(format!("the last call should give {expected}"));
        }
        if !self.stays && found != 0 {
            self.last = found;
        }
        Ok(found == 0)
    }

    fn place(&self, pointer: usize) -> Place {
        let host = self.host.as_ptr() as usize;
        if pointer == 0 {
            return Place::Null;
        }
        if (host..=host + HOST).contains(&pointer) {
            return Place::Host(pointer - host);
        }
        let of = |region: &Region| {
            region.at != 0 && region.alive && (region.at..=region.at + region.data.len()).contains(&pointer)
        };
        match self.regions.iter().position(of) {
            Some(region) => Place::Device(region, pointer - self.regions[region].at),
            None if pointer >> 32 == 0x2000 => Place::Stray,
            None => Place::Elsewhere,
        }
    }

    fn is_device(place: Place) -> bool {
        matches!(place, Place::Device(..) | Place::Stray)
    }

    /// Whether `bytes` from a place on are memory.
    fn holds(&self, place: Place, bytes: usize) -> bool {
        let size = |place: Place| match place {
            Place::Device(region, at) => Some((at, self.regions[region].data.len())),
            Place::Host(at) => Some((at, HOST)),
            _ => None,
        };
        size(place).is_some_and(|(at, size)| at.checked_add(bytes).is_some_and(|end| end <= size))
    }

    /// A pointer to memory of the device, mostly.
    fn device(&mut self) -> usize {
        // Nobody knows where an array is: with some, only what is not theirs.
        let sure = !self.arrays.is_empty();
        let known = |region: &Region| region.at != 0 && (region.alive || !sure);
        let known: Vec<usize> = (0..self.regions.len()).filter(|&i| known(&self.regions[i])).collect();
        if known.is_empty() || self.below(12) == 0 {
            let host = self.host.as_ptr() as usize;
            return [0, host + 16, 0x2000_0000_0000, 0x2000_0000_012c, 0x2000_ffff_fff0, 0x2000_3fff_ff00]
                [self.below(6)];
        }
        let region = known[self.below(known.len())];
        let Region { at, ref data, .. } = self.regions[region];
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
            0 => self.host.as_ptr() as usize + self.below(HOST / 64) * 64,
            _ => self.device(),
        }
    }

    fn size(&mut self, of: usize) -> usize {
        let room = match self.place(of) {
            Place::Device(region, at) => self.regions[region].data.len() - at,
            Place::Host(at) => HOST - at,
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
        for (pointer, said) in [from, to].into_iter().zip(said) {
            let place = self.place(pointer);
            if place == Place::Null && bytes > 0 {
                return INVALID_VALUE;
            }
            if said.is_some_and(|said| said != Self::is_device(place)) {
                return INVALID_DIRECTION;
            }
        }
        0
    }

    /// Whether the host would be hurt: a copy that is right for the device, and not for the host.
    fn hurts(&self, pointer: usize, bytes: usize) -> bool {
        let place = self.place(pointer);
        bytes > 0 && place != Place::Null && !Self::is_device(place) && !self.holds(place, bytes)
    }

    fn read(&self, place: Place, bytes: usize) -> Vec<u8> {
        match place {
            Place::Device(region, at) => self.regions[region].data[at..at + bytes].to_vec(),
            Place::Host(at) => self.model[at..at + bytes].to_vec(),
            _ => vec![],
        }
    }

    fn write(&mut self, place: Place, data: &[u8]) {
        match place {
            Place::Device(region, at) => self.regions[region].data[at..at + data.len()].copy_from_slice(data),
            Place::Host(at) => self.model[at..at + data.len()].copy_from_slice(data),
            _ => {}
        }
    }

    fn step(&mut self) -> Result<(), String> {
        match self.below(30) {
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
            _ => {
                // SAFETY: no arguments.
                let (forget, found) = match self.below(2) {
                    0 => (true, unsafe { cudaGetLastError() }),
                    _ => (false, unsafe { cudaPeekAtLastError() }),
                };
                let expected = if self.stays { ILLEGAL_ADDRESS } else { self.last };
                self.log.push(format!("last error = {found}"));
                if forget {
                    self.last = 0;
                }
                if found == expected { Ok(()) } else { Err(format!("the last error should be {expected}")) }
            }
        }
    }

    fn malloc(&mut self) -> Result<(), String> {
        let bytes = [0, 1, 4, 60, 64, 100, 256, 1000, 1 << 40, usize::MAX][self.below(10)];
        let wrong = self.below(20) == 0;
        let mut found = std::ptr::null_mut();
        // SAFETY: a place, or none.
        let code = unsafe { cudaMalloc(if wrong { std::ptr::null_mut() } else { &raw mut found }, bytes) };
        let expected = match (wrong, bytes < 1 << 30) {
            (true, _) => INVALID_VALUE,
            (false, true) => 0,
            (false, false) => MEMORY_ALLOCATION,
        };
        if !self.expect(format!("cudaMalloc({found:?}, {bytes})"), code, expected)? {
            return Ok(());
        }
        let at = found as usize;
        let apart = |region: &&Region| {
            region.alive && region.at != 0 && at < region.at + region.data.len() && region.at < at + bytes.max(1)
        };
        if at % 256 != 0 || at >> 32 != 0x2000 || self.regions.iter().any(|region| apart(&region)) {
            return Err("that is no place for it".into());
        }
        self.regions.push(Region { at, data: vec![0; bytes], alive: true, variable: false });
        Ok(())
    }

    fn free(&mut self) -> Result<(), String> {
        let pointer = self.device();
        let found = self.regions.iter().position(|region| region.alive && region.at == pointer && pointer != 0);
        let found = found.filter(|&i| !self.regions[i].variable);
        let expected = if found.is_some() || pointer == 0 { 0 } else { INVALID_POINTER };
        // SAFETY: the runtime has to find out.
        let code = unsafe { cudaFree(pointer as Pointer) };
        if self.expect(format!("cudaFree({pointer:#x})"), code, expected)?
            && let Some(found) = found
        {
            self.regions[found].alive = false;
        }
        Ok(())
    }

    fn some_stream(&mut self) -> (usize, bool) {
        match (self.below(6), self.streams.len()) {
            (0, _) => (0x77, false),
            (1, _) | (_, 0) => (self.below(3), true),
            (_, count) => {
                let which = self.below(count);
                self.streams[which]
            }
        }
    }

    fn copy(&mut self) -> Result<(), String> {
        let (to, from) = (self.pointer(), self.pointer());
        let end = if self.below(2) == 0 { to } else { from };
        let bytes = self.size(end);
        let kind = self.kind(to, from);
        let asynchronous = self.below(3) == 0;
        let (stream, stream_is) = if asynchronous { self.some_stream() } else { (0, true) };
        let mut expected = if stream_is { self.direction(to, from, bytes, kind) } else { INVALID_HANDLE };
        let places = [self.place(to), self.place(from)];
        if expected == 0 && bytes > 0 {
            let stray = |&place: &Place| Self::is_device(place) && !self.holds(place, bytes);
            if places.iter().any(stray) {
                expected = INVALID_POINTER;
            } else if self.hurts(to, bytes) || self.hurts(from, bytes) {
                return Ok(());
            }
        }
        let call = format!("cudaMemcpy({to:#x}, {from:#x}, {bytes}, {kind}, stream {stream:#x})");
        let (to, from) = (to as Pointer, from as Pointer);
        // SAFETY: the host's memory is as long, or the runtime has to find out.
        let code = unsafe {
            match asynchronous {
                true => cudaMemcpyAsync(to, from, bytes, kind, stream as Pointer),
                false => cudaMemcpy(to, from, bytes, kind),
            }
        };
        if self.expect(call, code, expected)? && bytes > 0 {
            let data = self.read(places[1], bytes);
            self.write(places[0], &data);
        }
        Ok(())
    }

    fn copy_rows(&mut self) -> Result<(), String> {
        let (to, from) = (self.pointer(), self.pointer());
        let small = |s: &mut Self| s.below(20);
        let (width, mut height) = (small(self), small(self) % 6);
        let (mut to_pitch, mut from_pitch) = (width + small(self), width + small(self));
        match self.below(12) {
            0 => to_pitch = self.below(width + 1),
            1 => from_pitch = usize::MAX / 3,
            2 => height = [1 << 40, usize::MAX][self.below(2)],
            _ => {}
        }
        let kind = self.kind(to, from);
        let mut expected = self.direction(to, from, width.min(1), kind);
        if width > to_pitch.min(from_pitch) {
            expected = INVALID_VALUE;
        }
        let all = |pitch: usize| {
            (height.max(1) - 1).checked_mul(pitch).and_then(|rows| rows.checked_add(width)).unwrap_or(usize::MAX)
        };
        let places = [self.place(to), self.place(from)];
        if expected == 0 && width > 0 && height > 0 {
            let stray = |(place, pitch): (Place, usize)| Self::is_device(place) && !self.holds(place, all(pitch));
            if stray((places[0], to_pitch)) || stray((places[1], from_pitch)) {
                expected = INVALID_POINTER;
            } else if self.hurts(to, all(to_pitch)) || self.hurts(from, all(from_pitch)) {
                return Ok(());
            }
        }
        let call = format!("cudaMemcpy2D({to:#x}, {to_pitch}, {from:#x}, {from_pitch}, {width}, {height}, {kind})");
        // SAFETY: the host's memory is as long, or the runtime has to find out.
        let code = unsafe { cudaMemcpy2D(to as Pointer, to_pitch, from as Pointer, from_pitch, width, height, kind) };
        if self.expect(call, code, expected)? && width > 0 {
            for row in 0..height {
                let data = self.read(self.place(from + row * from_pitch), width);
                self.write(self.place(to + row * to_pitch), &data);
            }
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<(), String> {
        let to = self.device();
        let value = self.below(300) as i32 - 20;
        let (mut pitch, width, height);
        let rows = self.below(3) == 0;
        if rows {
            (width, height) = (self.below(20), self.below(6));
            pitch = width + self.below(20);
            if self.wrong() {
                pitch = [0, usize::MAX / 2][self.below(2)];
            }
        } else {
            (width, height) = (self.size(to), 1);
            pitch = width;
        }
        let place = self.place(to);
        let all = (height.max(1) - 1).checked_mul(pitch).and_then(|rows| rows.checked_add(width)).unwrap_or(usize::MAX);
        let expected = match () {
            () if width == 0 || height == 0 => 0,
            () if width > pitch => INVALID_VALUE,
            () if Self::is_device(place) && self.holds(place, all) => 0,
            () => INVALID_POINTER,
        };
        // SAFETY: the runtime has to find out.
        let code = unsafe {
            match rows {
                true => cudaMemset2D(to as Pointer, pitch, value, width, height),
                false => cudaMemset(to as Pointer, value, width),
            }
        };
        if self.expect(format!("cudaMemset2D({to:#x}, {pitch}, {value}, {width}, {height})"), code, expected)?
            && width > 0
        {
            for row in 0..height {
                self.write(self.place(to + row * pitch), &vec![value as u8; width]);
            }
        }
        Ok(())
    }

    fn symbol(&mut self) -> Result<(), String> {
        let which = self.below(2);
        let wrong = self.wrong();
        let symbol = if wrong { self.host.as_ptr() as Pointer } else { address(&SHADOWS[which]) };
        if self.below(6) == 0 {
            let mut found = std::ptr::null_mut();
            // SAFETY: a place.
            let code = unsafe { cudaGetSymbolAddress(&raw mut found, symbol) };
            let expected = if wrong { INVALID_SYMBOL } else { 0 };
            if self.expect(format!("cudaGetSymbolAddress({which}) {found:?}"), code, expected)? {
                let at = self.regions[which].at;
                if at != 0 && at != found as usize {
                    return Err("it was elsewhere".into());
                }
                self.regions[which].at = found as usize;
            }
            return Ok(());
        }
        let other = self.pointer();
        let writes = self.below(2) == 0;
        let bytes = [0, 4, 16, 60, 64, 65, usize::MAX][self.below(7)];
        let offset = if self.wrong() {
            [65, usize::MAX][self.below(2)]
        } else {
            self.below(64usize.saturating_sub(bytes.min(64)) + 1)
        };
        let device = 0x2000_0000_0000;
        let kind = if writes { self.kind(device, other) } else { self.kind(other, device) };
        let allowed = if writes { [1, 3, 4] } else { [2, 3, 4] };
        let mut expected = match () {
            () if !allowed.contains(&kind) => INVALID_DIRECTION,
            () if wrong => INVALID_SYMBOL,
            () if offset.checked_add(bytes).is_none_or(|end| end > SYMBOL) => INVALID_VALUE,
            () if writes => self.direction(device, other, bytes, kind),
            () => self.direction(other, device, bytes, kind),
        };
        let place = self.place(other);
        if expected == 0 && bytes > 0 {
            if Self::is_device(place) && !self.holds(place, bytes) {
                expected = INVALID_POINTER;
            } else if self.hurts(other, bytes) {
                return Ok(());
            }
        }
        // SAFETY: the host's memory is as long, or the runtime has to find out.
        let code = unsafe {
            match writes {
                true => cudaMemcpyToSymbol(symbol, other as Pointer, bytes, offset, kind),
                false => cudaMemcpyFromSymbol(other as Pointer, symbol, bytes, offset, kind),
            }
        };
        let call = format!("symbol {which} (wrong: {wrong}, writes: {writes}), {other:#x}, {bytes}, {offset}, {kind}");
        if self.expect(call, code, expected)? && bytes > 0 {
            let own = Place::Device(which, offset);
            let (to, from) = if writes { (own, place) } else { (place, own) };
            let data = self.read(from, bytes);
            self.write(to, &data);
        }
        Ok(())
    }

    /// The places of `count` words from a pointer on, if a kernel may access them.
    fn words(&self, pointer: usize, count: usize) -> Option<Vec<Place>> {
        let word = |i: usize| {
            let at = pointer.wrapping_add(4 * i);
            let place = self.place(at);
            (at.is_multiple_of(4) && Self::is_device(place) && self.holds(place, 4)).then_some(place)
        };
        (0..count).map(word).collect()
    }

    fn word(&self, place: Place) -> u32 {
        u32::from_le_bytes(self.read(place, 4).try_into().expect("four bytes"))
    }

    fn launch(&mut self) -> Result<(), String> {
        let kernel = self.below(4);
        let (first, second) = (self.device(), self.device());
        let mut blocks = Dim3 { x: 1 + self.below(3) as u32, y: 1, z: 1 };
        let mut threads = Dim3 { x: 1 + self.below(40) as u32, y: 1 + self.below(2) as u32, z: 1 };
        if kernel == 2 {
            (blocks, threads) = (Dim3 { x: 1, y: 1, z: 1 }, Dim3 { x: 16, y: 1, z: 1 });
        }
        let room = |s: &Self, pointer: usize| match s.place(pointer) {
            Place::Device(region, at) => (s.regions[region].data.len() - at) / 4,
            _ => 8,
        };
        let mut count = room(self, first).min(200) as u32;
        if kernel == 1 {
            count = count.min(room(self, second) as u32);
        }
        if self.wrong() && self.arrays.is_empty() {
            count += 1 + self.below(100) as u32;
        }
        let value = self.random.next_u64() as u32;
        let mut function = address(&FUNCTIONS[kernel]);
        let (mut stream, mut early) = (0, 0);
        let mut given = [address(&first), address(&count), address(&value)];
        if kernel == 1 {
            given = [address(&second), address(&first), address(&count)];
        }
        match self.below(25) {
            0 => (function, early) = (0x1234 as Pointer, INVALID_FUNCTION),
            1 => (given[0], early) = (std::ptr::null_mut(), INVALID_VALUE),
            2 => (stream, early) = (0x55, INVALID_HANDLE),
            3 => {
                let wrong = [[0, 1, 1], [1, 0, 1], [1, 65536, 1], [u32::MAX, 1, 1], [1, 1, u32::MAX]][self.below(5)];
                (blocks, early) = (Dim3 { x: wrong[0], y: wrong[1], z: wrong[2] }, INVALID_CONFIGURATION);
            }
            4 => {
                let wrong = [[0, 1, 1], [1025, 1, 1], [1, 1, 65], [u32::MAX, u32::MAX, 2], [32, 33, 1]][self.below(5)];
                (threads, early) = (Dim3 { x: wrong[0], y: wrong[1], z: wrong[2] }, INVALID_CONFIGURATION);
            }
            5 => (threads, early) = (Dim3 { x: THREADS + 1, y: 1, z: 1 }, OUT_OF_RESOURCES),
            _ => {}
        }
        let done = count.min(blocks.x.saturating_mul(threads.x)) as usize;
        // Threads that read what others write do so in an order that nobody promises.
        let range = |pointer: usize, words: usize| pointer..pointer.saturating_add(4 * words);
        let meet = |a: std::ops::Range<usize>, b: std::ops::Range<usize>| a.start < b.end && b.start < a.end;
        if kernel == 1 && first != second && meet(range(first, done), range(second, done))
            || kernel == 2 && meet(range(first, 16), range(self.regions[0].at, 16))
            || kernel == 3 && self.bound.is_some_and(|(at, bytes)| meet(range(first, done), at..at + bytes))
            || kernel == 1 && threads.y > 1
            // What was bound may be an array's now.
            || kernel == 3 && !self.arrays.is_empty() && self.bound.is_some_and(|(at, _)| self.place(at) == Place::Stray)
            || kernel == 3 && self.regions.iter().filter(|region| region.at == first).count() > 1
        {
            return Ok(());
        }
        let texture = if kernel == 3 { self.texture_of_launch() } else { Ok(vec![]) };
        let wanted = if kernel == 2 { 16 } else { done };
        let (outs, ins) = (self.words(first, wanted), self.words(second, if kernel == 1 { done } else { 0 }));
        let mut expected = early;
        if early == 0 || early == INVALID_CONFIGURATION || early == OUT_OF_RESOURCES {
            expected = match texture {
                // The shape is looked at before sizes.
                Err(INVALID_VALUE) if early == INVALID_CONFIGURATION => early,
                Err(code) => code,
                Ok(_) if early != 0 => early,
                Ok(_) if outs.is_some() && ins.is_some() => 0,
                Ok(_) => ILLEGAL_ADDRESS,
            };
        }
        // SAFETY: as many arguments as the kernel has, or the runtime has to find out.
        let code = unsafe { cudaLaunchKernel(function, blocks, threads, given.as_mut_ptr(), 0, stream as Pointer) };
        let shape = format!("{}x{}x{}, {}x{}x{}", blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z);
        let call = format!("kernel {kernel}<<<{shape}>>>({first:#x}, {second:#x}, {count}, {value}), stream {stream}");
        let ok = self.expect(call, code, expected)?;
        if !ok {
            self.stays |= expected == ILLEGAL_ADDRESS;
            return Ok(());
        }
        let (outs, ins) = (outs.unwrap_or_default(), ins.unwrap_or_default());
        for (i, &out) in outs.iter().enumerate() {
            let result = match kernel {
                0 => value.wrapping_add(i as u32),
                1 => self.word(out).wrapping_mul(3).wrapping_add(self.word(ins[i])),
                2 => {
                    let var = self.word(Place::Device(0, 4 * i));
                    self.write(Place::Device(0, 4 * i), &var.wrapping_add(1).to_le_bytes());
                    var.wrapping_add(self.word(Place::Device(1, 4 * i)))
                }
                _ => {
                    let texels = texture.as_ref().expect("it is bound");
                    texels[i.min(texels.len() - 1)]
                }
            };
            self.write(out, &result.to_le_bytes());
        }
        Ok(())
    }

    /// The texels that are bound, or what a launch says that needs them.
    fn texture_of_launch(&self) -> Result<Vec<u32>, i32> {
        let Some((at, bytes)) = self.bound else { return Err(NOT_BOUND) };
        let place = self.place(at);
        match place {
            Place::Device(_, 0) if bytes < 4 => Err(INVALID_VALUE),
            Place::Device(_, 0) if self.holds(place, bytes / 4 * 4) => {
                let data = self.read(place, bytes / 4 * 4);
                Ok(data.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four"))).collect())
            }
            Place::Device(_, 0) => Err(INVALID_VALUE),
            Place::Device(..) => Err(INVALID_TEXTURE),
            _ => Err(INVALID_POINTER),
        }
    }

    fn texture(&mut self) -> Result<(), String> {
        let wrong = self.wrong();
        let reference = if wrong { 0x99 as Pointer } else { address(&REFERENCE) };
        if self.below(4) == 0 {
            // SAFETY: the runtime has to find out.
            let code = unsafe { cudaUnbindTexture(reference) };
            if self.expect(format!("cudaUnbindTexture(wrong: {wrong})"), code, 0)? && !wrong {
                self.bound = None;
            }
            return Ok(());
        }
        let pointer = self.device();
        let bytes = if self.below(3) == 0 { usize::MAX } else { self.size(pointer) };
        let desc = if self.wrong() { [8, 0, 0, 0, 0] } else { FLOAT };
        let place = self.place(pointer);
        let room = match place {
            Place::Device(region, at) => self.regions[region].data.len() - at,
            _ => 0,
        };
        let expected = match () {
            () if desc != FLOAT => 801,
            () if !matches!(place, Place::Device(..)) => INVALID_POINTER,
            () if bytes != usize::MAX && bytes > room => INVALID_VALUE,
            () if wrong => INVALID_TEXTURE,
            () => 0,
        };
        let mut offset = 7;
        // SAFETY: the runtime has to find out.
        let code = unsafe { cudaBindTexture(&raw mut offset, reference, pointer as Pointer, &raw const desc, bytes) };
        if self.expect(format!("cudaBindTexture({pointer:#x}, {bytes}, wrong: {wrong})"), code, expected)? {
            self.bound = Some((pointer, bytes.min(room)));
        }
        Ok(())
    }

    fn stream(&mut self) -> Result<(), String> {
        let mut stream = std::ptr::null_mut();
        let (some, alive) = self.some_stream();
        let expected = if alive { 0 } else { INVALID_HANDLE };
        match self.below(3) {
            0 => {
                // SAFETY: a place.
                let code = unsafe { cudaStreamCreate(&raw mut stream) };
                if self.expect("cudaStreamCreate".into(), code, 0)? {
                    self.streams.push((stream as usize, true));
                }
            }
            1 => {
                // SAFETY: the runtime has to find out.
                let code = unsafe { cudaStreamSynchronize(some as Pointer) };
                self.expect(format!("cudaStreamSynchronize({some:#x})"), code, expected)?;
            }
            _ => {
                // SAFETY: the runtime has to find out.
                let code = unsafe { cudaStreamDestroy(some as Pointer) };
                if self.expect(format!("cudaStreamDestroy({some:#x})"), code, expected)? {
                    self.streams.iter_mut().filter(|stream| stream.0 == some).for_each(|stream| stream.1 = false);
                }
            }
        }
        Ok(())
    }

    fn event(&mut self) -> Result<(), String> {
        let mut event = std::ptr::null_mut();
        let none = (0x88, false, false);
        let some = |s: &mut Self| match (s.below(6), s.events.len()) {
            (0, _) | (_, 0) => none,
            (_, count) => {
                let which = s.below(count);
                s.events[which]
            }
        };
        let (one, other) = (some(self), some(self));
        let of = |event: (usize, bool, bool)| if event.1 { 0 } else { INVALID_HANDLE };
        match self.below(4) {
            0 => {
                // SAFETY: a place.
                let code = unsafe { cudaEventCreate(&raw mut event) };
                if self.expect("cudaEventCreate".into(), code, 0)? {
                    self.events.push((event as usize, true, false));
                }
            }
            1 => {
                // SAFETY: the runtime has to find out.
                let code = unsafe { cudaEventRecord(one.0 as Pointer, std::ptr::null_mut()) };
                if self.expect(format!("cudaEventRecord({:#x})", one.0), code, of(one))? {
                    self.events.iter_mut().filter(|event| event.0 == one.0).for_each(|event| event.2 = true);
                }
            }
            2 => {
                let mut milliseconds = -1.0;
                let code =
                    // SAFETY: the runtime has to find out.
                    unsafe { cudaEventElapsedTime(&raw mut milliseconds, one.0 as Pointer, other.0 as Pointer) };
                let expected = if one.1 && one.2 && other.1 && other.2 { 0 } else { INVALID_HANDLE };
                let call = format!("cudaEventElapsedTime({:#x}, {:#x})", one.0, other.0);
                if self.expect(call, code, expected)? && milliseconds != 0.0 {
                    return Err("emulated launches take no time".into());
                }
            }
            _ => {
                // SAFETY: the runtime has to find out.
                let code = unsafe { cudaEventDestroy(one.0 as Pointer) };
                if self.expect(format!("cudaEventDestroy({:#x})", one.0), code, of(one))? {
                    self.events.iter_mut().filter(|event| event.0 == one.0).for_each(|event| event.1 = false);
                }
            }
        }
        Ok(())
    }

    fn array(&mut self) -> Result<(), String> {
        let count = self.arrays.len();
        if count == 0 || self.below(4) == 0 {
            let (width, height) = ([0, 1, 5, 16, 1 << 40][self.below(5)], [0, 1, 3, 1 << 40][self.below(4)]);
            let desc = if self.wrong() { None } else { Some(FLOAT) };
            let mut array = std::ptr::null_mut();
            let pointer = desc.as_ref().map_or(std::ptr::null(), |desc| &raw const *desc);
            // SAFETY: a place.
            let code = unsafe { cudaMallocArray(&raw mut array, pointer, width, height, 0) };
            let expected = match () {
                () if desc.is_none() => INVALID_CHANNELS,
                () if width == 0 || width > 1 << 20 || height > 1 << 20 => INVALID_VALUE,
                () => 0,
            };
            if self.expect(format!("cudaMallocArray({array:?}, {width}, {height})"), code, expected)? {
                let data = vec![0; 4 * width * height.max(1)];
                self.arrays.push(Array { handle: array as usize, alive: true, width, height: height.max(1), data });
            }
            return Ok(());
        }
        let which = self.below(count);
        let Array { handle, alive, width, height, .. } = self.arrays[which];
        if self.below(6) == 0 {
            // SAFETY: the runtime has to find out.
            let code = unsafe { cudaFreeArray(handle as Pointer) };
            if self.expect(format!("cudaFreeArray({handle:#x})"), code, if alive { 0 } else { INVALID_HANDLE })? {
                self.arrays[which].alive = false;
            }
            return Ok(());
        }
        // Whole rows from one on.
        let row = self.below(height);
        let mut rows = 1 + self.below(height - row);
        let out = self.wrong();
        if out {
            rows = height + 1;
        }
        let (bytes, other) = (4 * width * rows, self.pointer());
        let device = 0x2000_0000_0000;
        let writes = self.below(2) == 0;
        let kind = if writes { self.kind(device, other) } else { self.kind(other, device) };
        let place = self.place(other);
        let mut expected = match () {
            () if !alive => INVALID_HANDLE,
            () if out => INVALID_VALUE,
            () if writes => self.direction(device, other, bytes, kind),
            () => self.direction(other, device, bytes, kind),
        };
        if expected == 0 && Self::is_device(place) && !self.holds(place, bytes) {
            expected = INVALID_POINTER;
        } else if expected == 0 && self.hurts(other, bytes) {
            return Ok(());
        }
        // SAFETY: the host's memory is as long, or the runtime has to find out.
        let code = unsafe {
            match writes {
                true => cudaMemcpyToArray(handle as Pointer, 0, row, other as Pointer, bytes, kind),
                false => cudaMemcpyFromArray(other as Pointer, handle as Pointer, 0, row, bytes, kind),
            }
        };
        let call = format!("array {handle:#x} (writes: {writes}), row {row}, {other:#x}, {bytes}, {kind}");
        if self.expect(call, code, expected)? {
            let start = 4 * width * row;
            if writes {
                let data = self.read(place, bytes);
                self.arrays[which].data[start..start + bytes].copy_from_slice(&data);
            } else {
                let data = self.arrays[which].data[start..start + bytes].to_vec();
                self.write(place, &data);
            }
        }
        Ok(())
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
