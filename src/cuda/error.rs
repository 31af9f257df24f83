//! The runtime's errors: a number for the program, a message for the person.

use measure::{host::HostError, session::SessionError};
use std::ffi::CStr;

/// What a function returns.
pub type Code = i32;

macro_rules! statuses {
    ($($name:ident = $code:literal, $c_name:literal, $text:literal;)*) => {
        /// A kind of error, with the number that CUDA gives it.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "the names are CUDA's")]
        pub enum Status {
            $($name = $code,)*
        }

        impl Status {
            /// The name of a number, and what it means.
            pub fn texts(code: Code) -> Option<(&'static CStr, &'static CStr)> {
                match code {
                    $($code => Some(($c_name, $text)),)*
                    _ => None,
                }
            }
        }
    };
}

statuses! {
    Success = 0, c"cudaSuccess", c"no error";
    InvalidValue = 1, c"cudaErrorInvalidValue", c"invalid argument";
    MemoryAllocation = 2, c"cudaErrorMemoryAllocation", c"out of memory";
    Initialization = 3, c"cudaErrorInitializationError", c"the chip could not be made";
    InvalidConfiguration = 9, c"cudaErrorInvalidConfiguration", c"invalid grid or block";
    InvalidSymbol = 13, c"cudaErrorInvalidSymbol", c"no such variable of the device";
    InvalidDevicePointer = 17, c"cudaErrorInvalidDevicePointer", c"invalid device pointer";
    InvalidTexture = 18, c"cudaErrorInvalidTexture", c"invalid texture";
    InvalidTextureBinding = 19, c"cudaErrorInvalidTextureBinding", c"texture is not bound";
    InvalidChannelDescriptor = 20, c"cudaErrorInvalidChannelDescriptor", c"invalid channel descriptor";
    InvalidMemcpyDirection = 21, c"cudaErrorInvalidMemcpyDirection", c"invalid direction of a copy";
    InvalidDeviceFunction = 98, c"cudaErrorInvalidDeviceFunction", c"the kernel cannot be used";
    InvalidDevice = 101, c"cudaErrorInvalidDevice", c"no such device";
    UnsupportedLimit = 215, c"cudaErrorUnsupportedLimit", c"no such limit";
    InvalidPtx = 218, c"cudaErrorInvalidPtx", c"PTX that cannot be read";
    FileNotFound = 301, c"cudaErrorFileNotFound", c"no such file";
    InvalidResourceHandle = 400, c"cudaErrorInvalidResourceHandle", c"no such stream, event, array or texture object";
    IllegalAddress = 700, c"cudaErrorIllegalAddress", c"a kernel has accessed memory that it must not";
    LaunchOutOfResources = 701, c"cudaErrorLaunchOutOfResources", c"the kernel needs more than the chip has";
    LaunchTimeout = 702, c"cudaErrorLaunchTimeout", c"the kernel did not end";
    LaunchFailure = 719, c"cudaErrorLaunchFailure", c"the kernel has failed";
    CooperativeLaunchTooLarge = 720, c"cudaErrorCooperativeLaunchTooLarge", c"more blocks than the chip holds at once";
    NotSupported = 801, c"cudaErrorNotSupported", c"not supported";
    Unknown = 999, c"cudaErrorUnknown", c"unknown error";
}

/// What went wrong.
#[derive(Debug)]
pub struct Failure {
    /// For the program.
    pub status: Status,
    /// For the person; several lines if it has some.
    pub message: String,
}

/// A failure with a message.
pub fn failure<T>(status: Status, message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure { status, message: message.into() })
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        let status = match &error {
            SessionError::OutOfMemory { .. } => Status::MemoryAllocation,
            SessionError::Pointer { .. } => Status::InvalidDevicePointer,
            SessionError::Occupied { .. } => Status::Initialization,
            SessionError::Name { .. } => Status::InvalidSymbol,
            SessionError::TextureStart { .. } => Status::InvalidTexture,
            SessionError::Host(host) => match host {
                HostError::Memory(_) | HostError::Stray(_) => Status::IllegalAddress,
                HostError::DoesNotFit { .. }
                | HostError::NoAtomics { .. }
                | HostError::NoDouble { .. }
                | HostError::NoBarriers { .. } => Status::LaunchOutOfResources,
                HostError::Launch(program::LaunchError::Shape { .. }) => Status::InvalidConfiguration,
                HostError::Launch(program::LaunchError::Memory { .. }) => Status::MemoryAllocation,
                HostError::Launch(_) => Status::InvalidValue,
                HostError::NotEnded { .. } => Status::LaunchTimeout,
                _ => Status::LaunchFailure,
            },
        };
        // A bad access is shown at its place in the PTX.
        let message = match error {
            SessionError::Host(HostError::Memory(fault)) => format!("{:?}", miette::Report::new(*fault)),
            error => error.to_string(),
        };
        Self { status, message }
    }
}

impl Status {
    /// After an error in a kernel nothing else of the device can be used, as on a GPU.
    pub fn stays(self) -> bool {
        matches!(self, Self::IllegalAddress | Self::LaunchTimeout | Self::LaunchFailure)
    }
}
