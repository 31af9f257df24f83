//! The SIMT core.
