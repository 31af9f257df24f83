//! `printf` of kernels: after a launch, the records that it has left in the buffer of its file (`device_printf.h`) are
//! printed.

use crate::{error::Failure, runtime::Runtime};
use libc::{FILE, c_char, c_int, c_void};
use measure::session::{DeviceMemory, memory::pointer};
use std::ffi::CString;

/// Part of the buffer's name, which is mangled.
const BUFFER: &str = "warpmesh_printf";
/// Words that it holds.
const WORDS: u64 = 1 << 17;
/// A number has no more characters.
const LONGEST: usize = 4096;

unsafe extern "C" {
    static stdout: *mut FILE;
}

/// An argument.
#[derive(Clone, Copy)]
enum PrintArgument {
    Integer(u64),
    Float(f64),
}

/// Prints what a kernel has left in the buffers of its files, and empties them.
pub fn flush(runtime: &mut Runtime) -> Result<(), Failure> {
    let (registry, session) = runtime.parts()?;
    let globals = registry.modules.iter().flat_map(|module| &module.globals);
    let buffers: Vec<u64> = globals.filter(|(name, _)| name.contains(BUFFER)).map(|(_, &at)| at).collect();
    buffers.into_iter().try_for_each(|buffer| flush_buffer(&mut session.memory, buffer))
}

/// Part of the name of what threads leave whose assertion does not hold (`cuda_runtime.h`): of each lane four words.
const ASSERTIONS: &str = "warpmesh_assertions";

/// Tells which assertions have ended the last launch, as CUDA does: a line on standard error for each thread of the warp.
pub fn assertions(runtime: &mut Runtime) -> Result<(), Failure> {
    let (registry, session) = runtime.parts()?;
    let Some(trap) = session.at_assertion() else { return Ok(()) };
    let globals = registry.modules.iter().flat_map(|module| &module.globals);
    let records = globals.filter(|(name, _)| name.contains(ASSERTIONS)).map(|(_, &at)| at & 0xffff_ffff);
    let word = |at: u64| {
        let bytes = trap.memory.get(at as usize..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    };
    let dims = session.last_block();
    let [x, y, z] = trap.thread;
    let warp = (x + dims[0] * (y + dims[1] * z)) / 32;
    let [bx, by, bz] = trap.block;
    let mut told = String::new();
    for (record, lane) in records.flat_map(|record| (0..32).map(move |lane| (record + 16 * u64::from(lane), lane))) {
        let at = |offset: u64| word(record + offset).unwrap_or(0);
        let [line, condition, file, function] = [at(0), at(4), at(8), at(12)];
        if line == 0 {
            continue;
        }
        let text = |address: u32| {
            string(&session.memory, address.into())
                .map_or("?".into(), |text| String::from_utf8_lossy(&text).into_owned())
        };
        let (file, function, condition) = (text(file), text(function), text(condition));
        let thread = warp * 32 + lane;
        let [x, y, z] = [thread % dims[0], thread / dims[0] % dims[1], thread / (dims[0] * dims[1])];
        told += &format!(
            "{file}:{line}: {function}: block: [{bx},{by},{bz}], thread: [{x},{y},{z}] Assertion `{condition}` failed.\n"
        );
    }
    eprint!("{told}");
    Ok(())
}

fn flush_buffer(memory: &mut DeviceMemory, at: u64) -> Result<(), Failure> {
    let used = word(memory, at)?;
    if used == 0 {
        return Ok(());
    }
    let mut place = 0;
    let mut text = vec![];
    while place < used.min(WORDS) {
        let Some(next) = record(memory, at + 8, place, used.min(WORDS), &mut text)? else { break };
        place = next;
    }
    if used > WORDS {
        eprintln!("warpmesh: printf in kernels: the buffer was full, {} words of output are lost", used - WORDS);
    }
    memory.bytes_mut(at, 8)?.fill(0);
    // SAFETY: bytes and their number; the program's own stream keeps them in order with what it prints itself.
    unsafe { libc::fwrite(text.as_ptr().cast::<c_void>(), 1, text.len(), stdout) };
    Ok(())
}

fn word(memory: &DeviceMemory, at: u64) -> Result<u64, Failure> {
    Ok(memory.bytes(at, 8)?.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
}

/// Text that ends with a zero, in the chip's memory.
fn string(memory: &DeviceMemory, address: u64) -> Option<Vec<u8>> {
    let at = pointer(address & 0xffff_ffff);
    let bytes = memory.bytes(at, memory.room(at).ok()?).ok()?;
    Some(bytes.split(|&byte| byte == 0).next()?.to_vec())
}

/// Prints the record at word `place` of the buffer at `start`; returns the place of the next, if there is all of it.
fn record(memory: &DeviceMemory, start: u64, place: u64, end: u64, out: &mut Vec<u8>) -> Result<Option<u64>, Failure> {
    let at = |i: u64| word(memory, start + 8 * (place + i));
    let count = if place + 1 < end { at(1)? & 0xff } else { return Ok(None) };
    let kinds = (count + 11) / 8;
    if count > 32 || place + 1 + kinds + count > end {
        return Ok(None);
    }
    let mut values = vec![];
    for i in 0..count {
        let byte = 4 + i;
        let kind = at(1 + byte / 8)? >> (8 * (byte % 8)) & 0xff;
        let bits = at(1 + kinds + i)?;
        values.push(match kind {
            1 => PrintArgument::Float(f32::from_bits(bits as u32).into()),
            2 => PrintArgument::Float(f64::from_bits(bits)),
            _ => PrintArgument::Integer(bits),
        });
    }
    match string(memory, at(0)?) {
        Some(format) => print(memory, &format, &values, out),
        None => out.extend(b"(a format that is not there)\n"),
    }
    Ok(Some(place + 1 + kinds + count))
}

/// The text of a format with its arguments.
fn print(memory: &DeviceMemory, format: &[u8], values: &[PrintArgument], out: &mut Vec<u8>) {
    let mut values = values.iter().copied();
    let mut rest = format;
    while let Some(percent) = rest.iter().position(|&byte| byte == b'%') {
        out.extend(&rest[..percent]);
        rest = &rest[percent + 1..];
        let Some(end) =
            rest.iter().position(|byte| byte.is_ascii_alphabetic() && !b"hlLqjzt".contains(byte) || *byte == b'%')
        else {
            out.push(b'%');
            continue;
        };
        let conversion = rest[end];
        let mut spec = vec![b'%'];
        for &byte in rest[..end].iter().filter(|byte| !byte.is_ascii_alphabetic()) {
            match (byte, values.clone().next()) {
                (b'*', Some(PrintArgument::Integer(width))) => {
                    values.next();
                    spec.extend((width as i32).to_string().into_bytes());
                }
                (byte, _) => spec.push(byte),
            }
        }
        let narrow = !rest[..end].iter().any(|byte| b"lqjzt".contains(byte));
        rest = &rest[end + 1..];
        match (conversion, values.clone().next()) {
            (b'%', _) => out.push(b'%'),
            (_, None) => out.extend(b"(no argument)"),
            (conversion, Some(value)) => {
                values.next();
                one(memory, spec, conversion, narrow, value, out);
            }
        }
    }
    out.extend(rest);
}

/// One argument.
fn one(
    memory: &DeviceMemory,
    mut spec: Vec<u8>,
    conversion: u8,
    narrow: bool,
    value: PrintArgument,
    out: &mut Vec<u8>,
) {
    match (conversion, value) {
        (b's', PrintArgument::Integer(address)) => {
            let text = string(memory, address).unwrap_or(b"(no text)".to_vec());
            spec.push(b's');
            let text = CString::new(text).unwrap_or_default();
            // SAFETY: a format for a text, and a text.
            append(spec, out, |to, bytes, format| unsafe { libc::snprintf(to, bytes, format, text.as_ptr()) });
        }
        (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'p', value) => {
            let bits = match value {
                PrintArgument::Integer(bits) => bits,
                PrintArgument::Float(float) => float.to_bits(),
            };
            let bits = match conversion {
                b'd' | b'i' if narrow => i64::from(bits as i32) as u64,
                b'u' | b'x' | b'X' | b'o' if narrow => bits & 0xffff_ffff,
                _ => bits,
            };
            if !matches!(conversion, b'c' | b'p') {
                spec.extend(b"ll");
            }
            spec.push(conversion);
            // SAFETY: a format for 64 bits, and as many.
            append(spec, out, |to, bytes, format| unsafe { libc::snprintf(to, bytes, format, bits) });
        }
        (b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A', value) => {
            let float = match value {
                PrintArgument::Float(float) => float,
                PrintArgument::Integer(bits) => f64::from_bits(bits),
            };
            spec.push(conversion);
            // SAFETY: a format for a double, and one.
            append(spec, out, |to, bytes, format| unsafe { libc::snprintf(to, bytes, format, float) });
        }
        _ => out.extend(b"(no such conversion)"),
    }
}

fn append(spec: Vec<u8>, out: &mut Vec<u8>, write: impl FnOnce(*mut c_char, usize, *const c_char) -> c_int) {
    let mut text = vec![0u8; LONGEST];
    let format = CString::new(spec).unwrap_or_default();
    let written = write(text.as_mut_ptr().cast(), text.len(), format.as_ptr());
    out.extend(&text[..usize::try_from(written).unwrap_or(0).min(LONGEST - 1)]);
}
