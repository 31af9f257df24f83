//! Handshakes: a bundle one way and an answer back, as one thing with a type.
//!
//! ```text
//!               +--------+   request_valid, _tag, ...   +--------+
//!   Outlet  in  | sender |------------------------------>| taker  |  in  Inlet
//!               |        |<------------------------------|        |
//!               +--------+        request_taken          +--------+
//!                    `- Producer                Consumer -'
//! ```
//!
//! | kind | what the answer says | of the bundle |
//! |---|---|---|
//! | [`Taken`] | what is shown is taken in this cycle | `valid` may not depend on it |
//! | [`Ready`] | what were shown would be taken in this cycle | it may not depend on `valid` |
//! | [`Granted`] | what were shown would be taken in this cycle: others who come first show nothing | it may not depend on `valid` |
//! | [`Credit`] | a place is free again: a pulse on the wire of its counter at the sender | is shown only where there is a place |
//!
//! A producer is connected to a consumer of the same bundle and the same kind, and to nothing else: `core.request()
//! .connect(memory.request())`. A block connects what it passes on with a child's end of the same sort: `io.request()
//! .connect(core.request())`.

use super::{
    builder::{Builder, Child},
    bundle::Bundle,
    names::PortName,
    ports::Shown,
    signal::{Operand, Signal},
};
use std::marker::PhantomData;

/// A kind of handshake.
pub trait Handshake: Copy {
    /// What the answer is called, behind the name of the bundle.
    const BACK: &'static str;
    /// What the answer means.
    const ABOUT: &'static str;
}

macro_rules! handshakes {
    ($($(#[$doc:meta])* $Kind:ident = $back:literal, $about:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Kind;

        impl Handshake for $Kind {
            const BACK: &'static str = $back;
            const ABOUT: &'static str = $about;
        }
    )*};
}
handshakes! {
    /// Valid and taken (`yumi`): what is shown is taken in this cycle; `valid` may not depend on it.
    Taken = "taken", "What is shown is taken in this cycle.";
    /// Valid and ready: what were shown would be taken in this cycle; `ready` may not depend on `valid`.
    Ready = "ready", "What were shown would be taken in this cycle.";
    /// Valid and granted: what were shown would be taken in this cycle, as nobody who comes first shows anything.
    Granted = "granted", "What were shown would be taken in this cycle, as nobody who comes first shows anything.";
    /// Valid and credits: a pulse for each place that is free again, one wire for each counter of the sender.
    Credit = "credit", "A pulse for each place that is free again.";
}

macro_rules! ends {
    ($($(#[$doc:meta])* $End:ident of $Owner:ty;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub struct $End<'m, B, H> {
            owner: $Owner,
            name: String,
            of: PhantomData<(B, H)>,
        }

        impl<'m, B: Bundle<'m>, H: Handshake> $End<'m, B, H> {
            /// Called `name`.
            pub fn new(owner: $Owner, name: impl PortName) -> Self {
                Self { owner, name: name.text(), of: PhantomData }
            }
        }
    )*};
}
ends! {
    /// The taker's end, inside it: a bundle comes in, and the answer goes out.
    Inlet of &'m Builder;
    /// The sender's end, inside it: a bundle goes out, and the answer comes in.
    Outlet of &'m Builder;
    /// A sender in its place.
    Producer of Child<'m>;
    /// A taker in its place.
    Consumer of Child<'m>;
}

/// The answer of a taker, to be shown.
#[must_use]
pub struct Answer<'m> {
    m: &'m Builder,
    name: String,
}

impl<'m> Answer<'m> {
    /// The output shows `value`; returns the port.
    #[track_caller]
    pub fn shows(self, value: impl Shown<'m>) -> Signal<'m> {
        self.m.declared_output(self.name, value)
    }
}

impl<'m, B: Bundle<'m>, H: Handshake> Inlet<'m, B, H> {
    /// What comes, and the answer.
    #[track_caller]
    pub fn signals(self) -> (B, Answer<'m>) {
        let answer = Answer { m: self.owner, name: (&self.name, H::BACK).text() };
        (self.owner.declared_inputs(self.name), answer)
    }

    /// What comes.
    #[track_caller]
    pub fn inputs(self) -> B {
        self.owner.declared_inputs(self.name)
    }

    /// `child` takes what comes, and answers.
    #[track_caller]
    pub fn connect(self, child: Consumer<'m, B, H>) {
        let (value, answer) = self.signals();
        child.drive(value);
        answer.shows(child.answer());
    }

    /// The answer alone.
    pub fn answer(self) -> Answer<'m> {
        Answer { m: self.owner, name: (&self.name, H::BACK).text() }
    }
}

impl<'m, B: Bundle<'m>, H: Handshake> Outlet<'m, B, H> {
    /// Shows `value`; returns the ports.
    #[track_caller]
    pub fn shows(self, value: B) -> B {
        self.owner.declared_outputs(self.name, Some(value))
    }

    /// The answer.
    #[track_caller]
    pub fn answer(self) -> Signal<'m> {
        self.owner.declared_input((&self.name, H::BACK))
    }

    /// Shows what `child` shows, and answers it.
    #[track_caller]
    pub fn connect(self, child: Producer<'m, B, H>) {
        self.owner.declared_outputs(&self.name, Some(child.signals()));
        child.answer(self.answer());
    }
}

impl<'m, B: Bundle<'m>, H: Handshake> Producer<'m, B, H> {
    /// What it shows.
    #[track_caller]
    pub fn signals(&self) -> B {
        B::of_ports(self.owner, &self.name)
    }

    /// Answers.
    #[track_caller]
    pub fn answer(&self, value: impl Operand<'m>) {
        self.owner.drive((&self.name, H::BACK), value);
    }

    /// What it shows to `consumer`, and the answer back.
    #[track_caller]
    pub fn connect(self, consumer: Consumer<'m, B, H>) {
        consumer.drive(self.signals());
        self.answer(consumer.answer());
    }
}

impl<'m, B: Bundle<'m>, H: Handshake> Consumer<'m, B, H> {
    /// Shows it something.
    #[track_caller]
    pub fn drive(&self, value: B) {
        value.drive_ports(self.owner, &self.name);
    }

    /// Its answer.
    #[track_caller]
    pub fn answer(&self) -> Signal<'m> {
        self.owner.get((&self.name, H::BACK))
    }
}
