//! Steps in order: every effect in its turn, preceded by the values that it needs and that no earlier one needed.
//!
//! So a value is computed shortly before its first use, which keeps machine registers free. A pure call is made when
//! its first result is needed.

use super::{
    body::Step,
    ir::{Effect, Function, NodeId, Op},
};

/// Orders a function.
pub(crate) fn order(function: &Function) -> Vec<Step> {
    let mut ordering = Ordering {
        function,
        steps: vec![],
        nodes: vec![false; function.graph.len()],
        calls: vec![false; function.calls.len()],
    };
    for (number, effect) in function.effects.iter().enumerate() {
        match *effect {
            Effect::Call(call) if function.calls[call].pure => {}
            Effect::Call(call) => ordering.demand(Task::Call(call)),
            _ => {
                effect.for_each_value(|value| ordering.demand(Task::Node(value)));
                ordering.steps.push(Step::Effect(number));
            }
        }
    }
    ordering.steps
}

#[derive(Clone, Copy)]
enum Task {
    Node(NodeId),
    Call(usize),
}

struct Ordering<'a> {
    function: &'a Function,
    steps: Vec<Step>,
    nodes: Vec<bool>,
    calls: Vec<bool>,
}

impl Ordering<'_> {
    /// Adds what is not there yet, operands first. The depth is on a stack of our own.
    fn demand(&mut self, task: Task) {
        let mut todo = vec![(task, false)];
        while let Some((task, ready)) = todo.pop() {
            match task {
                Task::Node(id) if !self.nodes[id.index()] => {
                    let graph = &self.function.graph;
                    if ready || (graph.is_leaf(id) && !self.waits(id)) {
                        self.nodes[id.index()] = true;
                        if !graph.is_leaf(id) {
                            self.steps.push(Step::Node(id));
                        }
                        continue;
                    }
                    todo.push((task, true));
                    match graph.op(id) {
                        Op::Result { call, .. } => todo.push((Task::Call(*call as usize), false)),
                        op => op.for_each_operand(|operand| todo.push((Task::Node(operand), false))),
                    }
                }
                Task::Call(call) if !self.calls[call] => {
                    if ready {
                        self.calls[call] = true;
                        self.steps.push(Step::Call(call));
                        continue;
                    }
                    todo.push((task, true));
                    let call = &self.function.calls[call];
                    let read = call.inputs.iter().map(|&(_, value)| value).chain(call.selects());
                    todo.extend(read.map(|value| (Task::Node(value), false)));
                }
                _ => {}
            }
        }
    }

    /// A leaf that a call which is not made yet will leave.
    fn waits(&self, id: NodeId) -> bool {
        match self.function.graph.op(id) {
            Op::Result { call, .. } => !self.calls[*call as usize],
            Op::Slice { value, .. } => self.waits(*value),
            _ => false,
        }
    }
}
