//! Wide words that are only moved: they stay words, and are copied where their enables say so.
//!
//! [`classify`] finds the nets that are such payload, [`trees`] follows the multiplexers above each of them to its
//! sources, and [`lower`] turns what is wanted of them, and of memories, into [`transfers`](crate::sliced::transfers).

pub(super) mod classify;
pub(super) mod lower;
pub(super) mod trees;
