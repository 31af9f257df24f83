//! Random CUDA kernels: one tree ([`tree`]) is drawn by seed ([`generate`]), printed as PTX ([`ptx`]) and as C for
//! whoever reads about a failure ([`c`]), and executed on the host by threads with real barriers ([`host`]).

pub mod c;
pub mod emulated;
pub mod generate;
pub mod host;
pub mod ptx;
pub mod tree;
