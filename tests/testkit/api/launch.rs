//! Launches, and the texture that one of the kernels reads.

use super::{program::*, *};

/// What a launch finds of a texture that is not bound.
const NOT_BOUND: i32 = -1;

impl Sequence {
    /// The places of `count` words from a pointer on, if a kernel may access them.
    pub(super) fn words(&self, pointer: usize, count: usize) -> Option<Vec<PointerTarget>> {
        let word = |i: usize| {
            let at = pointer.wrapping_add(4 * i);
            let place = self.place(at);
            (at.is_multiple_of(4) && Self::is_device(place) && self.holds(place, 4)).then_some(place)
        };
        (0..count).map(word).collect()
    }

    pub(super) fn word(&self, place: PointerTarget) -> u32 {
        u32::from_le_bytes(self.read(place, 4).try_into().expect("four bytes"))
    }

    pub(super) fn launch(&mut self) -> Result<(), String> {
        let kernel = self.below(4);
        let (first, second) = (self.device(), self.device());
        let mut blocks = Dim3 { x: 1 + self.below(3) as u32, y: 1, z: 1 };
        let mut threads = Dim3 { x: 1 + self.below(40) as u32, y: 1 + self.below(2) as u32, z: 1 };
        if kernel == 2 {
            (blocks, threads) = (Dim3 { x: 1, y: 1, z: 1 }, Dim3 { x: 16, y: 1, z: 1 });
        }
        let room = |s: &Self, pointer: usize| match s.place(pointer) {
            PointerTarget::Device(region, at) => (s.regions[region].data.len() - at) / 4,
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
            5 => (threads, early) = (Dim3 { x: THREADS + 1, y: 1, z: 1 }, INVALID_CONFIGURATION),
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
            || kernel == 3 && !self.arrays.is_empty() && self.bound.is_some_and(|(at, _)| self.place(at) == PointerTarget::Stray)
            || kernel == 3 && self.regions.iter().filter(|region| region.at == first).count() > 1
        {
            return Ok(());
        }
        let texture = if kernel == 3 { self.texture_of_launch() } else { Ok(vec![]) };
        let wanted = if kernel == 2 { 16 } else { done };
        let (outs, ins) = (self.words(first, wanted), self.words(second, if kernel == 1 { done } else { 0 }));
        let mut expected = early;
        // A texture that is not bound is missed by who reads it.
        let is_read = kernel != 3 || texture != Err(NOT_BOUND) || done == 0;
        if early == 0 && !is_read {
            expected = ILLEGAL_ADDRESS;
        } else if texture == Err(NOT_BOUND) && early == 0 {
            expected = 0;
        } else if texture != Err(NOT_BOUND) && (early == 0 || early == INVALID_CONFIGURATION) {
            expected = match texture {
                // The shape is looked at before sizes.
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
        // What is not aligned may also be nobody's: which of the two is told is not promised.
        let misaligned = [first, second].iter().any(|pointer| !pointer.is_multiple_of(4));
        if !self.stays && expected == ILLEGAL_ADDRESS {
            self.sticky = if misaligned && code == MISALIGNED_ADDRESS { code } else { ILLEGAL_ADDRESS };
            expected = self.sticky;
        }
        let ok = self.expect(call, code, expected)?;
        if !ok {
            self.stays |= [ILLEGAL_ADDRESS, MISALIGNED_ADDRESS].contains(&expected);
            return Ok(());
        }
        let (outs, ins) = (outs.unwrap_or_default(), ins.unwrap_or_default());
        for (i, &out) in outs.iter().enumerate() {
            let result = match kernel {
                0 => value.wrapping_add(i as u32),
                1 => self.word(out).wrapping_mul(3).wrapping_add(self.word(ins[i])),
                2 => {
                    let var = self.word(PointerTarget::Device(0, 4 * i));
                    self.write(PointerTarget::Device(0, 4 * i), &var.wrapping_add(1).to_le_bytes());
                    var.wrapping_add(self.word(PointerTarget::Device(1, 4 * i)))
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
    pub(super) fn texture_of_launch(&self) -> Result<Vec<u32>, i32> {
        let Some((at, bytes)) = self.bound else { return Err(NOT_BOUND) };
        let place = self.place(at);
        match place {
            // Freed.
            _ if !(matches!(place, PointerTarget::Device(..)) && self.holds(place, bytes)) => Err(NOT_BOUND),
            // Not one texel: nobody looks where.
            _ if bytes < 4 => Err(INVALID_TEXTURE),
            PointerTarget::Device(_, offset) if !offset.is_multiple_of(4) => Err(INVALID_TEXTURE),
            PointerTarget::Device(..) if self.holds(place, bytes / 4 * 4) => {
                let data = self.read(place, bytes / 4 * 4);
                Ok(data.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four"))).collect())
            }
            _ => Err(NOT_BOUND),
        }
    }

    pub(super) fn texture(&mut self) -> Result<(), String> {
        let wrong = self.wrong();
        let reference = if wrong { 0x99 as Pointer } else { address(&REFERENCE) };
        if self.below(4) == 0 {
            // SAFETY: the runtime has to find out.
            let code = unsafe { cudaUnbindTexture(reference) };
            let expected = if wrong { INVALID_TEXTURE } else { 0 };
            if self.expect(format!("cudaUnbindTexture(wrong: {wrong})"), code, expected)? && !wrong {
                self.bound = None;
            }
            return Ok(());
        }
        let pointer = self.device();
        let bytes = if self.below(3) == 0 { usize::MAX } else { self.size(pointer) };
        let desc = if self.wrong() { [7, 0, 0, 0, 0] } else { FLOAT };
        let place = self.place(pointer);
        let room = match place {
            PointerTarget::Device(region, at) => self.regions[region].data.len() - at,
            _ => 0,
        };
        let expected = match () {
            () if desc != FLOAT => INVALID_CHANNEL_DESCRIPTOR,
            () if !matches!(place, PointerTarget::Device(..)) => INVALID_POINTER,
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
}
