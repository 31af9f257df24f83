//! Reports of a run, for people and as JSON.
