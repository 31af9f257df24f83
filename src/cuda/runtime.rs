//! The one device of a process, and what the program has made on it.

use crate::{
    at_exit,
    call::Configuration,
    error::{ErrorCode, Failure, Status, failure},
    graphs::{CudaGraph, Executable},
    interrupt,
    linker::LinkerInput,
    registry::{Registry, Variable},
    segfault, settings,
    textures::Textures,
};
use measure::session::{DeviceMemory, ProgramParts, Session, Settings, memory};
use program::{STACK_BYTES, Target};
use rtl::chip::Chip;
use std::{
    collections::{BTreeMap, HashMap, HashSet, hash_map::Entry},
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// Host memory that the chip sees at the same address: what it holds goes to the chip before each launch, and comes back afterwards.
pub struct Managed {
    /// Its size.
    pub bytes: usize,
    /// It is memory of the host that the device sees (`cudaHostAllocMapped`).
    pub mapped: bool,
}

/// An event.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Event {
    /// Simulated milliseconds when it was recorded, if it was.
    pub recorded: Option<f64>,
    /// Launches that had been emulated until then.
    pub emulated: usize,
    /// It was made without time (`cudaEventDisableTiming`).
    pub untimed: bool,
}

/// Everything that the runtime knows.
#[derive(Default)]
pub struct Runtime {
    /// What the program is made of.
    pub registry: Registry,
    session: Option<Session>,
    /// Bytes of the stack of a thread, if the program has set them.
    stack_bytes: Option<u32>,
    /// Why there is none.
    no_session: Option<String>,
    /// What `<<<...>>>` has said, for the call behind it.
    pub configurations: Vec<Configuration>,
    /// Textures, arrays and what is bound to what.
    pub textures: Textures,
    /// Events by handle.
    pub events: HashMap<usize, Event>,
    /// Streams that there are.
    pub streams: HashSet<usize>,
    /// Graphs by handle.
    pub graphs: HashMap<usize, CudaGraph>,
    /// Graphs that can be launched, by handle.
    pub executables: HashMap<usize, Executable>,
    /// The graphs for which streams are captured.
    pub captures: HashMap<usize, usize>,
    /// The graphs for which events were recorded in captured streams.
    pub captured_events: HashMap<usize, usize>,
    /// Linkers of the driver interface by handle.
    pub links: HashMap<usize, LinkerInput>,
    /// Memory pools of the program's.
    pub pools: HashSet<usize>,
    /// Managed memory by pointer.
    pub managed: BTreeMap<u64, Managed>,
    /// Memory of the host that the runtime has given, with its size.
    pub pinned: BTreeMap<usize, usize>,
    /// Memory of the host that the program has registered, with its size.
    pub registered: BTreeMap<usize, usize>,
    /// Where the program has its managed variables: start and end.
    pub managed_sections: Vec<(usize, usize)>,
    /// Counts handles.
    handles: usize,
    last: Option<Status>,
    /// An error of a kernel.
    stays: Option<Status>,
    /// Launches that failed and whose error the program has not asked for since.
    unseen: usize,
    /// Messages that were printed, and how often they came again.
    told: HashMap<String, usize>,
    /// The end of the process is watched.
    at_exit: bool,
    /// Where the report goes, if not to standard error.
    report_file: Option<PathBuf>,
    /// Where samples go, if there are to be some.
    samples_file: Option<PathBuf>,
    /// Where the record goes, if there is to be one.
    record_folder: Option<PathBuf>,
}

/// Functions that launch a kernel and whose result programs leave to `cudaGetLastError`.
const LAUNCHES: [&str; 2] = ["cudaLaunchKernel", "cudaLaunch"];
/// Functions from which programs learn that a kernel has failed.
const WAITS: [&str; 4] =
    ["cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize"];
/// Different messages that are kept so as not to be printed again.
const MESSAGES_KEPT: usize = 1000;

static RUNTIME: Mutex<Option<Runtime>> = Mutex::new(None);

/// What the compiler has to know of the chip.
fn target_of(session: &Session, stack_bytes: Option<u32>) -> Target {
    Target { stack_bytes: stack_bytes.unwrap_or(STACK_BYTES), ..session.chip().target() }
}

impl Runtime {
    /// The device with its memory, when all files of the program have theirs.
    pub fn session(&mut self) -> Result<&mut Session, Failure> {
        if self.session.is_none() && self.no_session.is_none() {
            // A second hook changes nothing.
            let _ =
                miette::set_hook(Box::new(|_| Box::new(miette::MietteHandlerOpts::new().wrap_lines(false).build())));
            match settings::of_environment() {
                Ok((chip, mut settings)) => {
                    settings.interrupt = Some(interrupt::flag());
                    if settings.on_chip.as_ref().is_some_and(|ranges| !ranges.is_empty()) {
                        let list = std::env::var("WARPMESH_KERNELS").unwrap_or_default();
                        eprintln!("warpmesh: launches {list} are simulated on the chip, all others are emulated");
                    }
                    self.session = Some(Session::new(chip, settings));
                }
                Err(problem) => {
                    self.no_session = Some(problem);
                    if settings::is_resumed() {
                        interrupt::end_with(at_exit::LOST);
                    }
                }
            }
            self.watch_exit();
            segfault::watch();
        }
        match &mut self.session {
            Some(session) => {
                let target = target_of(session, self.stack_bytes);
                self.registry.activate(&mut session.memory, &target)?;
                Ok(session)
            }
            None => failure(Status::Initialization, self.no_session.clone().unwrap_or_default()),
        }
    }

    /// What kernels are compiled for.
    pub fn target(&mut self) -> Result<Target, Failure> {
        let stack_bytes = self.stack_bytes;
        Ok(target_of(self.session()?, stack_bytes))
    }

    /// Bytes of the stack of a thread.
    pub fn stack_bytes(&self) -> u32 {
        self.stack_bytes.unwrap_or(STACK_BYTES)
    }

    /// Sets them, for kernels that were compiled before, too.
    pub fn set_stack_bytes(&mut self, bytes: u32) -> Result<(), Failure> {
        self.stack_bytes = Some(bytes);
        let target = self.target()?;
        self.textures.forget_compiled();
        self.registry.compile_stacks(&target);
        Ok(())
    }

    /// Registry and session together.
    pub fn parts(&mut self) -> Result<(&mut Registry, &mut Session), Failure> {
        self.session()?;
        match &mut self.session {
            Some(session) => Ok((&mut self.registry, session)),
            None => failure(Status::Initialization, ""),
        }
    }

    /// Textures, registry and session together.
    pub fn texture_parts(&mut self) -> Result<(&mut Textures, &mut Registry, &mut Session), Failure> {
        self.session()?;
        match &mut self.session {
            Some(session) => Ok((&mut self.textures, &mut self.registry, session)),
            None => failure(Status::Initialization, ""),
        }
    }

    /// Uses a chip without asking the environment, and reports nothing at the end.
    pub fn begin(&mut self, chip: Chip, settings: Settings) {
        self.session = Some(Session::new(chip, settings));
        self.at_exit = true;
    }

    /// Everything on the device is as at the start; what was launched stays in the report.
    pub fn reset(&mut self) {
        for (&pointer, managed) in &self.managed {
            // SAFETY: it was mapped, and nobody else knows it.
            unsafe { libc::munmap(pointer as *mut libc::c_void, managed.bytes) };
        }
        if let Some(session) = &mut self.session {
            session.memory = DeviceMemory::default();
        }
        self.registry.reset();
        self.textures = Textures::default();
        // Memory of the host stays: the program may look at it, or give it back.
        (self.events, self.streams, self.pools, self.managed, self.registered) = Default::default();
        (self.graphs, self.executables, self.captures, self.captured_events) = Default::default();
        self.configurations.clear();
        (self.last, self.stays) = (None, None);
    }

    /// A number that no other thing has.
    pub fn handle(&mut self) -> usize {
        self.handles += 1;
        // Small numbers are streams of the language.
        0x1000 + 16 * self.handles
    }

    /// Simulated time so far.
    pub fn milliseconds(&self) -> f64 {
        self.session.as_ref().map_or(0.0, Session::milliseconds)
    }

    /// Launches so far that were emulated.
    pub fn emulated(&self) -> usize {
        self.session.as_ref().map_or(0, Session::emulated)
    }

    /// Says something about a function once.
    pub fn remark(&mut self, function: &str, text: &str) {
        let text = format!("warpmesh: {function}: {text}");
        if let Entry::Vacant(new) = self.told.entry(text) {
            eprintln!("{}", new.key());
            new.insert(0);
        }
    }

    /// The last error, which is forgotten if `forget`.
    pub fn last_error(&mut self, forget: bool) -> ErrorCode {
        let last = self.stays.or(self.last).unwrap_or(Status::Success);
        self.unseen = 0;
        if forget {
            self.last = None;
        }
        last as ErrorCode
    }

    /// Watches the end of the process.
    fn watch_exit(&mut self) {
        if !std::mem::replace(&mut self.at_exit, true) {
            self.report_file = settings::report_file();
            self.samples_file = settings::samples_file();
            self.record_folder = settings::record_folder();
            at_exit::watch();
        }
    }

    /// The program has begun: a report that goes to a file is written, also of a program that does not use the device; that
    /// there is no record then is an error message, and so is that it does not go on as it was to.
    pub fn program_begins(&mut self) {
        let files = [settings::report_file(), settings::samples_file(), settings::record_folder()];
        if files.iter().any(Option::is_some) || settings::is_resumed() {
            self.watch_exit();
        }
    }

    /// Where the report goes, if not to standard error.
    pub fn report_file(&self) -> Option<&PathBuf> {
        self.report_file.as_ref()
    }

    /// Where samples go, if there are to be some.
    pub fn samples_file(&self) -> Option<&PathBuf> {
        self.samples_file.as_ref()
    }

    /// Where the record goes, if there is to be one.
    pub fn record_folder(&self) -> Option<&PathBuf> {
        self.record_folder.as_ref()
    }

    /// The device, if it has been used.
    pub fn session_so_far(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// The environment asks for a device that there is not.
    pub fn has_no_device(&self) -> bool {
        self.no_session.is_some()
    }

    /// Looks at the runtime, unless somebody uses it.
    pub fn look_if_free(body: impl FnOnce(&Self)) {
        if let Ok(guard) = RUNTIME.try_lock()
            && let Some(runtime) = guard.as_ref()
        {
            body(runtime);
        }
    }

    /// Launches that failed and whose error the program has not asked for.
    pub fn unseen_failures(&self) -> usize {
        self.unseen
    }

    /// How many messages were not printed because they had been before.
    pub fn repeated_messages(&self) -> usize {
        self.told.values().sum()
    }

    /// A note of an error: the same text is printed once.
    fn note(&mut self, function: &str, failure: &Failure) {
        let text = format!("warpmesh: {function}: {}", failure.message.trim_end());
        if let Some(again) = self.told.get_mut(&text) {
            *again += 1;
        } else {
            eprintln!("{text}");
            if self.told.len() < MESSAGES_KEPT {
                self.told.insert(text, 0);
            }
        }
        self.unseen += usize::from(LAUNCHES.contains(&function));
        self.last = Some(failure.status);
        if failure.status.stays() {
            self.stays = Some(failure.status);
        }
    }

    /// The managed variable that an address of the host's is in, with its start.
    pub fn managed_variable(&self, address: u64) -> Option<(usize, &Variable)> {
        let at = address as usize;
        if !self.managed_sections.iter().any(|&(start, end)| (start..end).contains(&at)) {
            return None;
        }
        let variables = self.registry.variables.iter().filter(|(_, variable)| variable.managed);
        let mut found = variables.filter(|&(&start, variable)| (start..start + variable.bytes.max(1)).contains(&at));
        found.next().map(|(&start, variable)| (start, variable))
    }

    /// The managed memory that holds all of `bytes` from a pointer on.
    pub fn managed_at(&self, pointer: u64, bytes: usize) -> bool {
        let before = self.managed.range(..=pointer).next_back();
        before.is_some_and(|(start, managed)| {
            ((pointer - start) as usize).checked_add(bytes).is_some_and(|end| end <= managed.bytes)
        })
    }
}

/// Whether a pointer is one of the device's.
pub fn is_device(pointer: *const libc::c_void) -> bool {
    memory::address(pointer as u64).is_some()
}

/// Does what a function of the interface does: under the lock, without panics, with its error noted.
pub fn enter(function: &str, body: impl FnOnce(&mut Runtime) -> Result<(), Failure>) -> ErrorCode {
    let code = entered(function, body);
    interrupt::end_if_asked();
    code
}

fn entered(function: &str, body: impl FnOnce(&mut Runtime) -> Result<(), Failure>) -> ErrorCode {
    let mut guard = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let runtime = guard.get_or_insert_default();
    if let Some(stays) = runtime.stays {
        if WAITS.contains(&function) {
            runtime.unseen = 0;
        }
        return stays as ErrorCode;
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| body(runtime)));
    let outcome = outcome.unwrap_or_else(|_| failure(Status::Unknown, "an error of the runtime itself; see above"));
    if runtime.session_so_far().and_then(Session::parts).is_some_and(ProgramParts::differs) {
        interrupt::end_with(at_exit::LOST);
    }
    match outcome {
        Ok(()) => Status::Success as ErrorCode,
        Err(failure) => {
            runtime.note(function, &failure);
            failure.status as ErrorCode
        }
    }
}

/// The same for what never fails and must work after an error.
pub fn look<T>(body: impl FnOnce(&mut Runtime) -> T) -> T {
    body(RUNTIME.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}
