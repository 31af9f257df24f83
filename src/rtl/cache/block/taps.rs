//! What is looked at of a cache.

use hdl::taps;

taps! {
    "cache" {
        /// A request is decided about.
        DECIDES,
        /// It is accepted.
        ACCEPTED,
    }
}
