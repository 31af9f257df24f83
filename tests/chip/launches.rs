//! Several launches on one chip and its memory: what they leave for each other.

use crate::{campaign::part_or_all, matrix::options};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use warpmesh::{
    chip::{Chip, load},
    host::Limits,
    program::{Argument, Launch, kernels},
    session::{KernelCall, ProgramIdentity, ProgramParts, Record, Session, Settings, Where},
    verilog::lockstep::Rng,
};

/// The small chip with an L2 that keeps what a kernel leaves, and others with more in them.
fn chip(more: &[&str]) -> Chip {
    let l2 = ["cache.l2.bytes=16384", "cache.l2.flush=clean"];
    let overrides: Vec<_> = l2.iter().chain(more).map(|value| value.to_string()).collect();
    load(Some(Path::new("small.toml")), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn settings() -> Settings {
    Settings { options: options(), ..Settings::default() }
}

/// A kernel whose buffers are in the memory of a session.
struct Placed {
    launch: Launch,
    pointers: Vec<u64>,
}

impl Placed {
    fn new(session: &mut Session, kernel: &str, size: u32) -> Self {
        let builtin = kernels::find(kernel).expect("a kernel of the project");
        let launch = builtin.launch(Some(size), 1, &session.chip().target()).unwrap_or_else(|error| panic!("{error}"));
        let pointers = launch.buffers.iter().map(|buffer| {
            let pointer = session.memory.allocate(buffer.data.len(), 1).expect("there is room");
            let bytes = session.memory.bytes_mut(pointer, buffer.data.len()).expect("allocated");
            bytes.copy_from_slice(&buffer.data);
            pointer
        });
        let pointers = pointers.collect();
        Self { launch, pointers }
    }

    fn call(&self) -> KernelCall {
        let Launch { name, kernel, grid, block, args, .. } = &self.launch;
        let bits = |arg: &Argument| match *arg {
            Argument::Buffer(buffer) => self.pointers[buffer],
            Argument::Word(word) => word.into(),
            Argument::Long(long) => long,
            Argument::Float(float) => float.to_bits().into(),
            Argument::Value(_) => panic!("none has structures"),
        };
        let bytes = |(arg, size): (&Argument, u32)| bits(arg).to_le_bytes()[..size as usize].to_vec();
        KernelCall {
            name: name.clone(),
            kernel: kernel.clone(),
            grid: *grid,
            block: *block,
            dynamic_shared: 0,
            args: args.iter().zip(kernel.params.iter().map(|param| param.size)).map(bytes).collect(),
            constants: vec![],
            textures: vec![],
            unbound_textures: false,
        }
    }

    /// On the chip.
    fn run(&self, session: &mut Session) -> Record {
        session.launch(self.call()).unwrap_or_else(|error| panic!("{}: {error}", self.launch.name)).clone()
    }

    fn verify(&self, session: &Session) {
        let addresses = self.launch.buffer_addresses();
        let bytes = |address: u32, bytes: usize| {
            let index = addresses.iter().rposition(|&first| first <= address).expect("of a buffer");
            let offset = u64::from(address - addresses[index]);
            session.memory.bytes(self.pointers[index] + offset, bytes).expect("allocated").to_vec()
        };
        self.launch.verify(bytes).unwrap_or_else(|mismatch| panic!("{mismatch}"));
    }
}

/// Reads of the L2, those that found their line, and thread instructions.
fn counts(record: &Record) -> (u64, u64, u64) {
    let report = record.report.as_ref().expect("it was on the chip");
    let l2 = report.l2.as_ref().expect("there is one");
    (l2.reads, l2.read_hits, report.thread_instructions)
}

#[test]
fn an_l2_keeps_its_lines_for_the_next_launch() {
    let mut session = Session::new(chip(&[]), settings());
    let add = Placed::new(&mut session, "vector_add", 600);
    let first = add.run(&mut session);
    let second = add.run(&mut session);
    add.verify(&session);
    let ((reads, hits, instructions), again) = (counts(&first), counts(&second));
    assert!(hits < reads / 2, "{hits} of {reads}");
    assert_eq!(again, (reads, reads, instructions), "all lines are there, and the second launch is counted alone");
    let dram = |record: &Record| record.report.as_ref().map(|report| (report.dram.requests, report.dram.writes));
    let (Some((_, written)), Some((requests, writes))) = (dram(&first), dram(&second)) else { panic!("no reports") };
    assert_eq!((requests, writes), (written, written), "the sums are written back both times, and nothing is read");
    assert!(second.cycles < first.cycles, "{:?}, {:?}", first.cycles, second.cycles);

    // What the host has changed is read from memory: the launch begins as the first one did.
    session.memory.bytes_mut(add.pointers[0], 4).expect("allocated")[0] ^= 1;
    let third = add.run(&mut session);
    assert_eq!((third.cycles, counts(&third)), (first.cycles, counts(&first)));
    session.memory.bytes_mut(add.pointers[0], 4).expect("allocated")[0] ^= 1;
    add.run(&mut session);
    add.verify(&session);
    // A flush that invalidates leaves nothing.
    let mut session = Session::new(chip(&["cache.l2.flush=invalidate"]), settings());
    let add = Placed::new(&mut session, "vector_add", 600);
    let [one, two] = [(); 2].map(|()| add.run(&mut session));
    assert_eq!((one.cycles, counts(&one)), (two.cycles, counts(&two)));
}

/// A program that was saved between two launches goes on with the same lines.
#[test]
fn a_saved_program_goes_on_with_the_lines_of_the_l2() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, interrupt) = (folder.path().join("program.run"), Arc::new(AtomicBool::new(false)));
    // Two launches on the chip, and between them a long one on the emulator, which can be ended.
    let begin = |parts: Option<ProgramParts>, deadline: Option<Instant>| {
        let (on_chip, interrupt) = (Some(vec![1..=1, 3..=3]), Some(interrupt.clone()));
        let limits = Limits { deadline, ..settings().limits };
        let mut session = Session::new(chip(&[]), Settings { on_chip, interrupt, parts, limits, ..settings() });
        let placed =
            [("vector_add", 300), ("matmul", 256)].map(|(kernel, size)| Placed::new(&mut session, kernel, size));
        (session, placed)
    };
    let result = {
        let mut scratch = Session::new(chip(&[]), Settings { on_chip: Some(vec![]), ..settings() });
        let matmul = Placed::new(&mut scratch, "matmul", 256);
        matmul.run(&mut scratch);
        scratch.memory.bytes(matmul.pointers[2], matmul.launch.buffers[2].data.len()).expect("allocated").to_vec()
    };
    // The emulated one writes what is there already, so that it changes nothing.
    let prepare = |session: &mut Session, matmul: &Placed| {
        session.memory.bytes_mut(matmul.pointers[2], result.len()).expect("allocated").copy_from_slice(&result);
    };
    let (mut session, [add, matmul]) = begin(None, None);
    prepare(&mut session, &matmul);
    let [first, second, third] = [&add, &matmul, &add].map(|kernel| kernel.run(&mut session));
    assert_eq!([&first, &second, &third].map(|record| record.executed == Where::Rtl), [true, false, true]);
    let (reads, hits, _) = counts(&third);
    assert_eq!(reads, hits);
    let parts = || ProgramParts::new("build".into(), ProgramIdentity::new(&chip(&[]), "program".into(), []));
    let mut saved = parts();
    saved.save_to(file.clone(), 0).expect("a new file");
    let (mut session, [add, matmul]) = begin(Some(saved), None);
    prepare(&mut session, &matmul);
    assert_eq!(add.run(&mut session).cycles, first.cycles);
    interrupt.store(true, Ordering::Relaxed);
    assert!(session.launch(matmul.call()).is_err(), "it was to end");
    interrupt.store(false, Ordering::Relaxed);
    // The next part is saved again when the first launch has been answered and before the second one has begun.
    let mut again = parts();
    again.resume(&file, &[]).expect("it was saved");
    again.save_to(file.clone(), 0).expect("it is a saved program");
    let deadline = Instant::now() + Duration::from_secs(3);
    let (mut session, [add, matmul]) = begin(Some(again), Some(deadline));
    prepare(&mut session, &matmul);
    add.run(&mut session);
    std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
    assert!(session.launch(matmul.call()).is_err(), "it is too late");
    let mut resumed = parts();
    resumed.resume(&file, &[]).expect("it was saved");
    let (mut session, [add, matmul]) = begin(Some(resumed), None);
    prepare(&mut session, &matmul);
    let [_, _, again] = [&add, &matmul, &add].map(|kernel| kernel.run(&mut session));
    assert_eq!((again.cycles, counts(&again)), (third.cycles, counts(&third)));
    add.verify(&session);
}

/// Kernels in any order on chips that keep lines leave in memory what they do on the emulator, and the host changes
/// memory meanwhile.
#[test]
fn random_sequences_of_kernels_end_as_on_the_emulator() {
    const KERNELS: [(&str, u32); 6] =
        [("vector_add", 200), ("transpose", 24), ("reduction", 500), ("gather", 300), ("matmul", 16), ("stream", 300)];
    let l1 = ["cache.l1d.bytes=2048", "cache.instruction.bytes=2048", "cache.constant.bytes=1024"];
    let through = ["cache.l2.write_hit=through", "memory.write_reply=none", "network.vcs=2"];
    let tsma = [
        "cache.l2.mshr.kind=htsma",
        "cache.l2.allocation=on-miss",
        "cache.l2.write_miss=allocate",
        "cache.l2.bytes=4096",
    ];
    let clocks = ["clocks.noc=602", "clocks.dram=1107", "clocks.core=1296"];
    let chips: [&[&str]; 5] = [&[], &l1, &through, &tsma, &clocks];
    let mut kept = 0;
    for (seed, more) in chips.into_iter().enumerate().step_by(part_or_all(2, 1)) {
        let mut random = Rng::new(seed as u64);
        let emulated = Settings { on_chip: Some(vec![]), ..settings() };
        let mut sessions = [settings(), emulated].map(|settings| Session::new(chip(more), settings));
        let placed =
            sessions.each_mut().map(|session| KERNELS.map(|(kernel, size)| Placed::new(session, kernel, size)));
        for _ in 0..12 {
            let kernel = random.below(KERNELS.len() as u64) as usize;
            let buffer = random.below(placed[0][kernel].pointers.len() as u64) as usize;
            let changes = random.chance(0.2);
            let memory = sessions.each_mut().map(|session| session);
            for (session, placed) in memory.into_iter().zip(&placed) {
                let pointer = placed[kernel].pointers[buffer];
                if changes {
                    let byte = &mut session.memory.bytes_mut(pointer, 1).expect("allocated")[0];
                    *byte = 0;
                }
                let record = placed[kernel].run(session);
                kept += u64::from(record.executed == Where::Rtl && counts(&record).1 == counts(&record).0);
            }
            for (here, there) in placed[0].iter().zip(&placed[1]) {
                let pairs = here.pointers.iter().zip(&there.pointers).zip(&here.launch.buffers);
                for ((&here, &there), buffer) in pairs {
                    let of = |session: usize, pointer| {
                        sessions[session].memory.bytes(pointer, buffer.data.len()).expect("allocated")
                    };
                    assert!(of(0, here) == of(1, there), "{more:?}, {}", buffer.name);
                }
            }
        }
    }
    assert!(kept > part_or_all(2, 5), "{kept} launches found all their lines in the L2");
}
