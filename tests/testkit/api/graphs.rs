//! Graphs that streams are captured for and that are launched again and again, memory in the order of a stream, pools.

use super::{program::*, *};

/// Work that a graph has kept.
#[derive(Clone, Copy)]
enum KeptNode {
    /// `fill<<<1, count>>>(to, count, value)`
    Fill {
        to: usize,
        count: u32,
        value: u32,
    },
    /// `mix<<<1, count>>>(from, to, count)`
    Mix {
        to: usize,
        from: usize,
        count: u32,
    },
    Copy {
        to: usize,
        from: usize,
        bytes: usize,
    },
    Set {
        to: usize,
        value: u8,
        bytes: usize,
    },
}

/// A graph that can be launched.
pub struct Launchable {
    handle: usize,
    /// It has not been destroyed.
    pub(super) alive: bool,
    kept: Vec<KeptNode>,
}

impl Sequence {
    /// Memory of the device that is there, from a whole word on; its start and its bytes.
    fn known(&mut self) -> Option<(usize, usize)> {
        let there = |region: &ApiRegion| region.alive && region.at != 0 && region.data.len() >= 4;
        let there: Vec<usize> = (0..self.regions.len()).filter(|&i| there(&self.regions[i])).collect();
        let region = *there.get(self.below(there.len().max(1)))?;
        let words = self.regions[region].data.len() / 4;
        let skipped = self.below(words);
        Some((self.regions[region].at + 4 * skipped, 4 * (words - skipped)))
    }

    fn work(&mut self) -> Option<KeptNode> {
        let (to, room) = self.known()?;
        let (from, there) = self.known()?;
        let bytes = 1 + self.below(room.min(there));
        let count = (bytes / 4) as u32;
        let meet = to < from + bytes && from < to + bytes;
        let host = self.host.as_ptr() as usize + self.below(HOST - bytes.min(HOST) + 1);
        Some(match self.below(6) {
            0 | 1 if count > 0 => {
                KeptNode::Fill { to, count: count.min(THREADS), value: self.random.next_u64() as u32 }
            }
            2 if count > 0 && !meet => KeptNode::Mix { to, from, count: count.min(THREADS) },
            3 => KeptNode::Set { to, value: self.below(256) as u8, bytes },
            4 if bytes < HOST => KeptNode::Copy { to, from: host, bytes },
            5 if bytes < HOST => KeptNode::Copy { to: host, from, bytes },
            _ if !meet => KeptNode::Copy { to, from, bytes },
            _ => KeptNode::Set { to, value: 1, bytes },
        })
    }

    /// Asks a stream for it; the error.
    fn ask(&mut self, work: KeptNode, stream: usize) -> i32 {
        let stream = stream as Pointer;
        let one = Dim3 { x: 1, y: 1, z: 1 };
        // SAFETY: all of it is memory that is there.
        unsafe {
            match work {
                KeptNode::Fill { to, count, value } => {
                    let mut given = [address(&to), address(&count), address(&value)];
                    let threads = Dim3 { x: count, ..one };
                    cudaLaunchKernel(address(&FUNCTIONS[0]), one, threads, given.as_mut_ptr(), 0, stream)
                }
                KeptNode::Mix { to, from, count } => {
                    let mut given = [address(&from), address(&to), address(&count)];
                    let threads = Dim3 { x: count, ..one };
                    cudaLaunchKernel(address(&FUNCTIONS[1]), one, threads, given.as_mut_ptr(), 0, stream)
                }
                KeptNode::Copy { to, from, bytes } => cudaMemcpyAsync(to as Pointer, from as Pointer, bytes, 4, stream),
                KeptNode::Set { to, value, bytes } => cudaMemsetAsync(to as Pointer, value.into(), bytes, stream),
            }
        }
    }

    /// What it does to the model's memory; false where that is gone.
    fn apply(&mut self, work: KeptNode) -> bool {
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four"));
        let (to, from, bytes) = match work {
            KeptNode::Fill { to, count, .. } => (to, to, 4 * count as usize),
            KeptNode::Mix { to, from, count } => (to, from, 4 * count as usize),
            KeptNode::Copy { to, from, bytes } => (to, from, bytes),
            KeptNode::Set { to, bytes, .. } => (to, to, bytes),
        };
        let [to, from] = [self.place(to), self.place(from)];
        if !self.holds(to, bytes) || !self.holds(from, bytes) {
            return false;
        }
        let data = match work {
            KeptNode::Fill { count, value, .. } => {
                (0..count).flat_map(|i| value.wrapping_add(i).to_le_bytes()).collect()
            }
            KeptNode::Mix { .. } => {
                let (x, y) = (self.read(from, bytes), self.read(to, bytes));
                let pairs = x.chunks_exact(4).zip(y.chunks_exact(4));
                pairs.flat_map(|(x, y)| word(y).wrapping_mul(3).wrapping_add(word(x)).to_le_bytes()).collect()
            }
            KeptNode::Copy { .. } => self.read(from, bytes),
            KeptNode::Set { value, .. } => vec![value; bytes],
        };
        self.write(to, &data);
        true
    }

    /// Captures a stream of the program's, sometimes with a second one, and instantiates what came out.
    pub(super) fn capture(&mut self) -> Result<(), String> {
        let Some(stream) = self.streams.iter().find(|stream| stream.1).map(|stream| stream.0) else {
            return self.stream();
        };
        let other = self.streams.iter().rev().find(|other| other.1 && other.0 != stream).map(|other| other.0);
        let mut graph = std::ptr::null_mut();
        if self.wrong() {
            // SAFETY: a place, and the runtime has to find out.
            let code = unsafe { cudaStreamEndCapture(stream as Pointer, &raw mut graph) };
            return self.expect("cudaStreamEndCapture of none".into(), code, CAPTURE_UNMATCHED).map(drop);
        }
        if self.wrong() {
            // SAFETY: the runtime has to find out.
            let code = unsafe { cudaStreamBeginCapture(std::ptr::null_mut(), 0) };
            return self.expect("cudaStreamBeginCapture(0)".into(), code, CAPTURE_UNSUPPORTED).map(drop);
        }
        // SAFETY: as a program would.
        let code = unsafe { cudaStreamBeginCapture(stream as Pointer, 0) };
        if !self.expect(format!("cudaStreamBeginCapture({stream:#x})"), code, 0)? {
            return Ok(());
        }
        let forked = match other {
            Some(other) if self.below(2) == 0 => self.fork(stream, other)?,
            _ => false,
        };
        let mut kept = vec![];
        for _ in 0..self.below(6) {
            let Some(work) = self.work() else { break };
            let on = if forked && self.below(2) == 0 { other.unwrap_or(stream) } else { stream };
            let code = self.ask(work, on);
            self.expect(format!("kept for {on:#x}: {}", text(work)), code, 0)?;
            kept.push(work);
        }
        if self.wrong() {
            // SAFETY: the runtime has to find out.
            let code = unsafe { cudaStreamSynchronize(stream as Pointer) };
            self.expect("cudaStreamSynchronize of a captured stream".into(), code, CAPTURE_UNSUPPORTED)?;
        }
        let mut executable = std::ptr::null_mut();
        let null = std::ptr::null_mut();
        // SAFETY: places.
        let codes = unsafe {
            let ended = cudaStreamEndCapture(stream as Pointer, &raw mut graph);
            let made = cudaGraphInstantiate(&raw mut executable, graph, null, null, 0);
            // What was made of it stays.
            [ended, made, cudaGraphDestroy(graph)]
        };
        for (code, call) in codes.into_iter().zip(["cudaStreamEndCapture", "cudaGraphInstantiate", "cudaGraphDestroy"])
        {
            self.expect(call.into(), code, 0)?;
        }
        self.graphs.push(Launchable { handle: executable as usize, alive: true, kept });
        Ok(())
    }

    /// Takes a second stream into a capture.
    fn fork(&mut self, stream: usize, other: usize) -> Result<bool, String> {
        let mut event = std::ptr::null_mut();
        // SAFETY: a place; handles that are there.
        let codes = unsafe {
            [
                cudaEventCreate(&raw mut event),
                cudaEventRecord(event, stream as Pointer),
                cudaStreamWaitEvent(other as Pointer, event, 0),
                cudaEventDestroy(event),
            ]
        };
        for code in codes {
            self.expect(format!("fork to {other:#x}"), code, 0)?;
        }
        Ok(true)
    }

    pub(super) fn launch_graph(&mut self) -> Result<(), String> {
        if self.graphs.is_empty() {
            return self.capture();
        }
        let which = self.below(self.graphs.len());
        let Launchable { handle, alive, ref kept } = self.graphs[which];
        let kept = kept.clone();
        if self.below(8) == 0 {
            // SAFETY: the runtime has to find out.
            let code = unsafe { cudaGraphExecDestroy(handle as Pointer) };
            if self.expect(format!("cudaGraphExecDestroy({handle:#x})"), code, if alive { 0 } else { INVALID_VALUE })? {
                self.graphs[which].alive = false;
            }
            return Ok(());
        }
        // What it works on may be freed, or somebody else's by now: nobody does that.
        let there = |s: &Self, at: usize| matches!(s.place(at), PointerTarget::Device(..) | PointerTarget::Host(_));
        let ends = |work: &KeptNode| match *work {
            KeptNode::Fill { to, count, .. } => [(to, 4 * count as usize); 2],
            KeptNode::Mix { to, from, count } => [(to, 4 * count as usize), (from, 4 * count as usize)],
            KeptNode::Copy { to, from, bytes } => [(to, bytes), (from, bytes)],
            KeptNode::Set { to, bytes, .. } => [(to, bytes); 2],
        };
        let whole = |s: &Self, (at, bytes): (usize, usize)| there(s, at) && s.holds(s.place(at), bytes);
        if alive && !kept.iter().flat_map(ends).all(|end| whole(self, end)) {
            return Ok(());
        }
        let (stream, stream_is) = self.some_stream();
        let expected = match (alive, stream_is) {
            (false, _) => INVALID_VALUE,
            (true, false) => INVALID_HANDLE,
            (true, true) => 0,
        };
        // SAFETY: memory is there, or the runtime has to find out.
        let code = unsafe { cudaGraphLaunch(handle as Pointer, stream as Pointer) };
        if self.expect(format!("cudaGraphLaunch({handle:#x}, {stream:#x})"), code, expected)? {
            for work in kept {
                if !self.apply(work) {
                    return Err(format!("the model has lost memory: {}", text(work)));
                }
            }
        }
        Ok(())
    }

    /// Memory in the order of a stream, of a pool or not.
    pub(super) fn pool(&mut self) -> Result<(), String> {
        let (stream, stream_is) = self.some_stream();
        let mut made = std::ptr::null_mut();
        match self.below(6) {
            0 => {
                // SAFETY: a place; no properties are looked at.
                let code = unsafe { cudaMemPoolCreate(&raw mut made, [0u64; 11].as_ptr().cast()) };
                if self.expect("cudaMemPoolCreate".into(), code, 0)? {
                    self.pools.push((made as usize, true));
                }
            }
            1 if !self.pools.is_empty() => {
                let which = self.below(self.pools.len());
                let (pool, alive) = self.pools[which];
                // SAFETY: the runtime has to find out.
                let code = unsafe { cudaMemPoolDestroy(pool as Pointer) };
                self.expect(format!("cudaMemPoolDestroy({pool:#x})"), code, if alive { 0 } else { INVALID_HANDLE })?;
                self.pools[which].1 = false;
            }
            2 => {
                let pointer = self.device();
                let found = self.regions.iter().position(|region| region.alive && region.at == pointer && pointer != 0);
                let found = found.filter(|&i| !self.regions[i].variable);
                let expected = match () {
                    () if !stream_is => INVALID_HANDLE,
                    () if found.is_some() => 0,
                    () => INVALID_POINTER,
                };
                // SAFETY: the runtime has to find out.
                let code = unsafe { cudaFreeAsync(pointer as Pointer, stream as Pointer) };
                if self.expect(format!("cudaFreeAsync({pointer:#x}, {stream:#x})"), code, expected)?
                    && let Some(found) = found
                {
                    self.regions[found].alive = false;
                }
            }
            _ => {
                let bytes = [0, 1, 60, 64, 256, 1000, 1 << 40][self.below(7)];
                let pool = if self.below(2) == 0 { self.pools.last().copied() } else { None };
                // SAFETY: a place.
                let code = unsafe {
                    match pool {
                        Some((pool, _)) => {
                            cudaMallocFromPoolAsync(&raw mut made, bytes, pool as Pointer, stream as Pointer)
                        }
                        None => cudaMallocAsync(&raw mut made, bytes, stream as Pointer),
                    }
                };
                let expected = match () {
                    () if !stream_is || pool.is_some_and(|(_, alive)| !alive) => INVALID_HANDLE,
                    () if bytes >= 1 << 30 => MEMORY_ALLOCATION,
                    () => 0,
                };
                if self.expect(format!("cudaMallocAsync({made:?}, {bytes}, {stream:#x})"), code, expected)? {
                    self.new_region(made as usize, bytes)?;
                }
            }
        }
        Ok(())
    }
}

fn text(work: KeptNode) -> String {
    match work {
        KeptNode::Fill { to, count, value } => format!("fill({to:#x}, {count}, {value})"),
        KeptNode::Mix { to, from, count } => format!("mix({from:#x}, {to:#x}, {count})"),
        KeptNode::Copy { to, from, bytes } => format!("copy({to:#x}, {from:#x}, {bytes})"),
        KeptNode::Set { to, value, bytes } => format!("set({to:#x}, {value}, {bytes})"),
    }
}
