//! The runtime's errors: a number for the program, a message for the person.

use measure::{host::HostError, session::SessionError};
use program::{Trap, emulator::Fault};
use std::ffi::CStr;

/// What a function returns.
pub type ErrorCode = i32;

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
            pub fn texts(code: ErrorCode) -> Option<(&'static CStr, &'static CStr)> {
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
    Initialization = 3, c"cudaErrorInitializationError", c"initialization error";
    InvalidConfiguration = 9, c"cudaErrorInvalidConfiguration", c"invalid configuration argument";
    InvalidPitchValue = 12, c"cudaErrorInvalidPitchValue", c"invalid pitch argument";
    InvalidSymbol = 13, c"cudaErrorInvalidSymbol", c"invalid device symbol";
    InvalidTexture = 18, c"cudaErrorInvalidTexture", c"invalid texture reference";
    InvalidTextureBinding = 19, c"cudaErrorInvalidTextureBinding", c"texture is not bound to a pointer";
    InvalidChannelDescriptor = 20, c"cudaErrorInvalidChannelDescriptor", c"invalid channel descriptor";
    InvalidMemcpyDirection = 21, c"cudaErrorInvalidMemcpyDirection", c"invalid copy direction for memcpy";
    InvalidSurface = 37, c"cudaErrorInvalidSurface", c"invalid surface reference";
    MissingConfiguration = 52, c"cudaErrorMissingConfiguration", c"__global__ function call is not configured";
    InvalidDeviceFunction = 98, c"cudaErrorInvalidDeviceFunction", c"invalid device function";
    InvalidDevice = 101, c"cudaErrorInvalidDevice", c"invalid device ordinal";
    UnsupportedLimit = 215, c"cudaErrorUnsupportedLimit", c"limit is not supported on this architecture";
    InvalidPtx = 218, c"cudaErrorInvalidPtx", c"a PTX JIT compilation failed";
    FileNotFound = 301, c"cudaErrorFileNotFound", c"file not found";
    InvalidResourceHandle = 400, c"cudaErrorInvalidResourceHandle", c"invalid resource handle";
    IllegalAddress = 700, c"cudaErrorIllegalAddress", c"an illegal memory access was encountered";
    LaunchOutOfResources = 701, c"cudaErrorLaunchOutOfResources", c"too many resources requested for launch";
    LaunchTimeout = 702, c"cudaErrorLaunchTimeout", c"the launch timed out and was terminated";
    Assert = 710, c"cudaErrorAssert", c"device-side assert triggered";
    HostMemoryAlreadyRegistered = 712, c"cudaErrorHostMemoryAlreadyRegistered", c"part or all of the requested memory range is already mapped";
    HostMemoryNotRegistered = 713, c"cudaErrorHostMemoryNotRegistered", c"pointer does not correspond to a registered memory region";
    MisalignedAddress = 716, c"cudaErrorMisalignedAddress", c"misaligned address";
    LaunchFailure = 719, c"cudaErrorLaunchFailure", c"unspecified launch failure";
    CooperativeLaunchTooLarge = 720, c"cudaErrorCooperativeLaunchTooLarge", c"too many blocks in cooperative launch";
    NotSupported = 801, c"cudaErrorNotSupported", c"operation not supported";
    StreamCaptureUnsupported = 900, c"cudaErrorStreamCaptureUnsupported", c"operation not permitted when stream is capturing";
    StreamCaptureUnmatched = 903, c"cudaErrorStreamCaptureUnmatched", c"the capture was not initiated in this stream";
    GraphExecUpdateFailure = 910, c"cudaErrorGraphExecUpdateFailure", c"the graph update was not performed because it included changes which violated constraints specific to instantiated graph update";
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
            SessionError::Pointer { .. } => Status::InvalidValue,
            SessionError::Occupied { .. } => Status::Initialization,
            SessionError::Name { .. } => Status::InvalidSymbol,
            SessionError::TextureStart { .. } => Status::InvalidTexture,
            SessionError::Host(host) => match host {
                HostError::Memory(fault) => match (fault.fault, fault.trap) {
                    (_, Some(trap)) => of_trap(trap),
                    (Fault::Unaligned, None) => Status::MisalignedAddress,
                    // Addresses are right.
                    (Fault::Race { .. } | Fault::Uninitialised, None) => Status::LaunchFailure,
                    _ => Status::IllegalAddress,
                },
                HostError::Trapped { trap, .. } => of_trap(*trap),
                HostError::OutOfBounds(_) => Status::IllegalAddress,
                // Registers are what threads need, the rest is what the launch asks for.
                HostError::DoesNotFit { key: "core.shared_bytes" | "core.warps", .. } => Status::InvalidConfiguration,
                HostError::DoesNotFit { .. } | HostError::Lacks { .. } => Status::LaunchOutOfResources,
                HostError::Launch(program::LaunchError::Shape { .. }) => Status::InvalidConfiguration,
                HostError::Launch(program::LaunchError::Memory { .. }) => Status::MemoryAllocation,
                HostError::Launch(_) => Status::InvalidValue,
                HostError::NotEnded { .. } | HostError::TimeLimit { .. } => Status::LaunchTimeout,
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

/// An assertion has an error of its own.
fn of_trap(trap: Trap) -> Status {
    match trap {
        Trap::Assertion => Status::Assert,
        _ => Status::LaunchFailure,
    }
}

impl Status {
    /// After an error in a kernel nothing else of the device can be used, as on a GPU.
    pub fn stays(self) -> bool {
        matches!(
            self,
            Self::IllegalAddress | Self::LaunchTimeout | Self::Assert | Self::MisalignedAddress | Self::LaunchFailure
        )
    }
}
