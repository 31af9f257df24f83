//! The functions of the C interface. Each enters the runtime, which keeps panics inside, and notes what goes wrong.
//!
//! What pointers of the program point to is asked of the system before it is used ([`host`]): what is not there is an
//! error of the call.

mod device;
mod driver;
mod driver_link;
mod events;
mod graphs;
mod launch;
mod memory;
mod occupancy;
mod others;
mod pools;
mod registration;
mod surfaces;
mod symbols;
mod textures;
mod volumes;

use crate::{
    error::{Failure, Status, failure},
    host::{self, HostAccess},
};

/// Defines functions of the interface: `fn name(arguments) |runtime| body`, whose body is a `Result<(), Failure>`.
macro_rules! api {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) |$runtime:ident| $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// As in C: pointers are valid for what the function does.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> crate::error::ErrorCode {
                crate::runtime::enter(stringify!($name), |$runtime| $body)
            }
        )*
    };
}
pub(crate) use api;

/// Writes a result to where the program wants it.
///
/// # Safety
/// `to` is memory of the program's that may be overwritten, or none.
pub(crate) unsafe fn give<T>(to: *mut T, value: T) -> Result<(), Failure> {
    check(to)?;
    // SAFETY: as promised; it may lie anywhere.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// A result has a place: to be asked before anything is made that has to be given.
pub(crate) fn check<T>(to: *mut T) -> Result<(), Failure> {
    match to.is_null() {
        true => failure(Status::InvalidValue, "the result has no place: a null pointer"),
        false => host::check(to.cast(), size_of::<T>(), HostAccess::Write),
    }
}
