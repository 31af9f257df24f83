//! Machine code in memory: the settings of Cranelift that all engines share.

use super::error::SimError;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::default_libcall_names;

/// A place for generated code. Cranelift's optimiser is off: engines simplify before they emit, and what it adds costs more
/// than it gains. Its verifier runs where our own debug assertions do.
pub(super) fn new_jit(design: &str) -> Result<JITModule, SimError> {
    let mut flags = settings::builder();
    let verifier = if cfg!(debug_assertions) { "true" } else { "false" };
    let wanted = [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("opt_level", "none"),
        ("enable_verifier", verifier),
        ("unwind_info", "false"),
    ];
    for (flag, value) in wanted {
        flags.set(flag, value).map_err(|e| failure(design, e))?;
    }
    let isa = cranelift_native::builder().map_err(|e| failure(design, e))?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|e| failure(design, e))?;
    Ok(JITModule::new(JITBuilder::with_isa(isa, default_libcall_names())))
}

/// Code could not be generated.
pub(super) fn failure(module: &str, error: impl std::fmt::Debug) -> SimError {
    SimError::Native { module: module.into(), message: format!("{error:?}") }
}
