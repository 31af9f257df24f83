//! Streams, which are in order and whose work is done at once; events, which note simulated time.

use super::{api, check, give};
use crate::{
    error::{ErrorCode, Failure, Status, failure},
    graphs::NodeAction,
    runtime::{Event, Runtime, enter},
};
use libc::{c_int, c_uint, c_void};

/// Handles below are streams of the language.
const NAMED: usize = 3;
/// `cudaEventDisableTiming`.
const DISABLE_TIMING: c_uint = 2;
/// All flags of events.
const EVENT_FLAGS: c_uint = 7;
/// `cudaStreamNonBlocking`, which is all flags of streams.
const STREAM_FLAGS: c_uint = 1;

impl Runtime {
    /// Whether there is a stream of this handle, of which something can be asked at once.
    pub fn stream(&self, stream: *mut c_void) -> Result<(), Failure> {
        if self.is_captured(stream as usize) {
            let message = "the stream is captured for a graph, which does not have this";
            return failure(Status::StreamCaptureUnsupported, message);
        }
        match (stream as usize) < NAMED || self.streams.contains(&(stream as usize)) {
            true => Ok(()),
            false => failure(Status::InvalidResourceHandle, "no such stream"),
        }
    }

    fn event(&mut self, event: *mut c_void) -> Result<&mut Event, Failure> {
        match self.events.get_mut(&(event as usize)) {
            Some(event) => Ok(event),
            None => failure(Status::InvalidResourceHandle, "no such event"),
        }
    }

    fn new_stream(&mut self, stream: *mut *mut c_void, flags: c_uint) -> Result<(), Failure> {
        if flags & !STREAM_FLAGS != 0 {
            return failure(Status::InvalidValue, format!("{flags:#x} are no flags of a stream"));
        }
        check(stream)?;
        let handle = self.handle();
        self.streams.insert(handle);
        // SAFETY: as in C.
        unsafe { give(stream, handle as *mut c_void) }
    }

    fn new_event(&mut self, event: *mut *mut c_void, flags: c_uint) -> Result<(), Failure> {
        if flags & !EVENT_FLAGS != 0 {
            return failure(Status::InvalidValue, format!("{flags:#x} are no flags of an event"));
        }
        check(event)?;
        let handle = self.handle();
        self.events.insert(handle, Event { recorded: None, emulated: 0, untimed: flags & DISABLE_TIMING != 0 });
        // SAFETY: as in C.
        unsafe { give(event, handle as *mut c_void) }
    }
}

api! {
    /// A stream.
    fn cudaStreamCreate(stream: *mut *mut c_void) |runtime| { runtime.new_stream(stream, 0) }
    /// A stream.
    fn cudaStreamCreateWithFlags(stream: *mut *mut c_void, flags: c_uint) |runtime| { runtime.new_stream(stream, flags) }
    /// A stream; all have one priority.
    fn cudaStreamCreateWithPriority(stream: *mut *mut c_void, flags: c_uint, _priority: c_int) |runtime| { runtime.new_stream(stream, flags) }
    /// No stream any more.
    fn cudaStreamDestroy(stream: *mut c_void) |runtime| {
        runtime.captures.remove(&(stream as usize));
        match runtime.streams.remove(&(stream as usize)) {
            true => Ok(()),
            false => failure(Status::InvalidResourceHandle, "no such stream, or one of the language"),
        }
    }
    /// All has been done.
    fn cudaStreamSynchronize(stream: *mut c_void) |runtime| { runtime.stream(stream) }
    /// All has been done.
    fn cudaStreamQuery(stream: *mut c_void) |runtime| { runtime.stream(stream) }
    /// It has happened.
    fn cudaStreamWaitEvent(stream: *mut c_void, event: *mut c_void, _flags: c_uint) |runtime| {
        // An event of a capture takes the stream into it.
        if let Some(&graph) = runtime.captured_events.get(&(event as usize)) {
            if !runtime.is_captured(stream as usize) {
                runtime.stream(stream)?;
                runtime.captures.insert(stream as usize, graph);
            }
            return Ok(());
        }
        if !runtime.is_captured(stream as usize) {
            runtime.stream(stream)?;
        }
        runtime.event(event).map(drop)
    }
    /// An event.
    fn cudaEventCreate(event: *mut *mut c_void) |runtime| { runtime.new_event(event, 0) }
    /// An event.
    fn cudaEventCreateWithFlags(event: *mut *mut c_void, flags: c_uint) |runtime| { runtime.new_event(event, flags) }
    /// Notes the simulated time.
    fn cudaEventRecord(event: *mut c_void, stream: *mut c_void) |runtime| {
        runtime.event(event)?;
        if let Some(&graph) = runtime.captures.get(&(stream as usize)) {
            runtime.captured_events.insert(event as usize, graph);
            return Ok(());
        }
        runtime.stream(stream)?;
        runtime.captured_events.remove(&(event as usize));
        let (now, emulated) = (runtime.milliseconds(), runtime.emulated());
        let event = runtime.event(event)?;
        (event.recorded, event.emulated) = (Some(now), emulated);
        Ok(())
    }
    /// It has happened.
    fn cudaEventSynchronize(event: *mut c_void) |runtime| { runtime.event(event).map(drop) }
    /// It has happened.
    fn cudaEventQuery(event: *mut c_void) |runtime| { runtime.event(event).map(drop) }
    /// Simulated time between two events.
    fn cudaEventElapsedTime(milliseconds: *mut f32, start: *mut c_void, stop: *mut c_void) |runtime| {
        let (start, stop) = (*runtime.event(start)?, *runtime.event(stop)?);
        if start.untimed || stop.untimed {
            return failure(Status::InvalidResourceHandle, "an event without time (cudaEventDisableTiming)");
        }
        let emulated = start.emulated != stop.emulated;
        let (Some(start), Some(stop)) = (start.recorded, stop.recorded) else {
            return failure(Status::InvalidResourceHandle, "an event that was not recorded");
        };
        if emulated {
            runtime.remark("cudaEventElapsedTime", "emulated launches have no time; they count as if every core issued all the time (an estimate, too low)");
        }
        // SAFETY: as in C.
        unsafe { give(milliseconds, (stop - start) as f32) }
    }
    /// No event any more.
    fn cudaEventDestroy(event: *mut c_void) |runtime| {
        runtime.event(event)?;
        runtime.events.remove(&(event as usize));
        runtime.captured_events.remove(&(event as usize));
        Ok(())
    }
}

/// Calls a function of the program's: what it waits for has been done.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaStreamAddCallback(
    stream: *mut c_void,
    callback: Option<unsafe extern "C" fn(*mut c_void, ErrorCode, *mut c_void)>,
    data: *mut c_void,
    flags: c_uint,
) -> ErrorCode {
    let found = enter("cudaStreamAddCallback", |runtime| match (callback, flags) {
        (Some(_), 0) => runtime.stream(stream),
        (None, _) => failure(Status::InvalidValue, "the callback is a null pointer"),
        _ => failure(Status::InvalidValue, format!("flags {flags:#x}: they have to be 0")),
    });
    // Outside of the lock: it may ask for everything.
    match callback {
        // SAFETY: as in C.
        Some(callback) if found == 0 => unsafe { callback(stream, 0, data) },
        _ => {}
    }
    found
}

/// Calls a function of the program's.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaLaunchHostFunc(
    stream: *mut c_void,
    function: Option<unsafe extern "C" fn(*mut c_void)>,
    data: *mut c_void,
) -> ErrorCode {
    let mut kept = false;
    let found = enter("cudaLaunchHostFunc", |runtime| match function {
        Some(function) if runtime.is_captured(stream as usize) => {
            kept = true;
            runtime.keep(stream as usize, NodeAction::Host(function, data as usize))
        }
        Some(_) => runtime.stream(stream),
        None => failure(Status::InvalidValue, "the function is a null pointer"),
    });
    match function {
        // SAFETY: as in C.
        Some(function) if found == 0 && !kept => unsafe { function(data) },
        _ => {}
    }
    found
}
