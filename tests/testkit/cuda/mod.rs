//! Random CUDA kernels: one tree ([`tree`]) is drawn by seed ([`generate`]), printed as PTX ([`ptx`]) and as C for
//! whoever reads about a failure ([`c`]), executed on the host by threads with real barriers ([`host`]), and compared
//! with the emulator and the chip ([`check`]).

pub mod check;

pub use testkit_base::cuda::{c, emulated, generate, host, ptx, tree};
