//! The branches of `when` and `switch`.

use super::Builder;
use crate::{bits::Bits, def::*, signal::Signal};

/// The other case of a [`Builder::when`].
pub struct Otherwise<'m> {
    pub(super) builder: &'m Builder,
    pub(super) condition: Signal<'m>,
}

impl<'m> Otherwise<'m> {
    /// Statements that take effect when the condition is zero.
    #[track_caller]
    pub fn otherwise(self, body: impl FnOnce()) {
        let statements = self.builder.nested(!self.condition, body);
        let mut state = self.builder.state.borrow_mut();
        let block = state.blocks.last_mut().expect("the module body is never popped");
        match block.last_mut() {
            // Its own `when`, if nothing has been recorded since.
            Some(Stmt::When { condition, otherwise, .. })
                if *condition == self.condition.id && otherwise.is_empty() =>
            {
                *otherwise = statements;
            }
            _ => block.push(Stmt::When { condition: self.condition.id, then: vec![], otherwise: statements }),
        }
    }
}

/// The cases of a [`Builder::switch`].
pub struct Cases<'m> {
    pub(super) builder: &'m Builder,
    pub(super) value: Signal<'m>,
    pub(super) cases: Vec<(Bits, Vec<Stmt>)>,
    pub(super) default: Option<Vec<Stmt>>,
    pub(super) taken: Vec<Signal<'m>>,
}

impl Cases<'_> {
    /// Statements for `value == constant`; the constants of a switch are distinct.
    #[track_caller]
    pub fn is(&mut self, constant: u64, body: impl FnOnce()) {
        let m = self.builder;
        if self.default.is_some() {
            m.problem(ProblemKind::Illegal, format!("case {constant} stands after the default of its switch"), &[]);
        }
        m.check_fits(self.value.width, constant);
        let bits = Bits::new(self.value.width, constant);
        if self.cases.iter().any(|(earlier, _)| *earlier == bits) {
            m.problem(ProblemKind::Illegal, format!("case {bits} stands twice in a switch"), &[]);
        }
        let hit = self.value.eq(bits.signal(m));
        self.taken.push(hit);
        self.cases.push((bits, m.nested(hit, body)));
    }

    /// Statements for every other value; at most once, after all cases.
    #[track_caller]
    pub fn default(&mut self, body: impl FnOnce()) {
        let m = self.builder;
        if self.default.is_some() {
            m.problem(ProblemKind::Illegal, "a switch has two defaults".into(), &[]);
        }
        let none = self.taken.iter().fold(m.lit(1, 1), |none, hit| none & !*hit);
        self.default = Some(m.nested(none, body));
    }
}
