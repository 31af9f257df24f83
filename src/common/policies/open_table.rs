//! Tables of parts that a design has or has not: the rows of the project, and those that other crates add before
//! anybody looks at the table.

use super::RowError;
use crate::names::same;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Such a table.
pub struct OpenTable<T: ?Sized + 'static> {
    /// What its rows are, for messages.
    of: &'static str,
    name: fn(&T) -> &'static str,
    built_in: &'static [&'static T],
    added: Mutex<Added<T>>,
    all: OnceLock<Vec<&'static T>>,
}

struct Added<T: ?Sized + 'static> {
    /// All rows in their order; none: only those of the project.
    rows: Option<Vec<&'static T>>,
    /// Somebody has looked at the table.
    is_closed: bool,
}

impl<T: ?Sized> OpenTable<T> {
    /// With the rows of the project. `of`: what they are; `name`: of a row.
    pub const fn new(of: &'static str, name: fn(&T) -> &'static str, built_in: &'static [&'static T]) -> Self {
        let added = Mutex::new(Added { rows: None, is_closed: false });
        Self { of, name, built_in, added, all: OnceLock::new() }
    }

    /// All rows, in their order, which from now on are what they are.
    pub fn rows(&'static self) -> &'static [&'static T] {
        self.all.get_or_init(|| {
            let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
            added.is_closed = true;
            added.rows.take().unwrap_or_else(|| self.built_in.to_vec())
        })
    }

    /// Adds a row; `place`: from the rows that are there, before which of them it comes.
    ///
    /// # Errors
    /// When another row has its name, it has no name that can be a key, the table has been looked at, or `place` refuses it.
    pub fn add(
        &self,
        row: &'static T,
        place: impl FnOnce(&[&'static T]) -> Result<usize, RowError>,
    ) -> Result<(), RowError> {
        let (table, name) = (self.of, (self.name)(row));
        let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
        if added.is_closed {
            return Err(RowError::TooLate { table, name });
        }
        if !is_key(name) {
            return Err(RowError::NoKey { table, name });
        }
        let mut rows = added.rows.clone().unwrap_or_else(|| self.built_in.to_vec());
        if rows.iter().any(|other| same((self.name)(other), name)) {
            return Err(RowError::Taken { table, name });
        }
        rows.insert(place(&rows)?, row);
        added.rows = Some(rows);
        Ok(())
    }
}

/// Can it be a key of a configuration, and a part of a name in Verilog?
fn is_key(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Word(&'static str);

    static TABLE: OpenTable<Word> = OpenTable::new("word", |word| word.0, &[&Word("first"), &Word("last")]);

    #[test]
    fn rows_are_added_in_their_place_until_the_table_is_looked_at() {
        let (table, end) = ("word", |rows: &[&Word]| Ok(rows.len()));
        TABLE.add(&Word("middle"), |_| Ok(1)).expect("a new name");
        assert_eq!(TABLE.add(&Word("first"), end), Err(RowError::Taken { table, name: "first" }));
        assert_eq!(TABLE.add(&Word("my-own"), end), Err(RowError::NoKey { table, name: "my-own" }));
        let refusal = RowError::Refused { table, name: "refused", why: "so".into() };
        assert_eq!(TABLE.add(&Word("refused"), |_| Err(refusal.clone())), Err(refusal));
        TABLE.add(&Word("mine"), end).expect("a new name");
        let names = |rows: &mut dyn Iterator<Item = &'static Word>| rows.map(|word| word.0).collect::<Vec<_>>();
        assert_eq!(names(&mut TABLE.rows().iter().copied()), ["first", "middle", "last", "mine"]);
        assert_eq!(TABLE.add(&Word("late"), end), Err(RowError::TooLate { table, name: "late" }));
    }
}
