//! Numbers of the parts of a module.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index into the owning vector.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
ids!(
    /// A net: port, wire, register or output of an instance; indexes [`ModuleDef::nets`](super::ModuleDef::nets).
    NetId,
    /// An expression; indexes [`ModuleDef::exprs`](super::ModuleDef::exprs).
    ExprId,
    /// A memory; indexes [`ModuleDef::memories`](super::ModuleDef::memories).
    MemId,
    /// A child; indexes [`ModuleDef::instances`](super::ModuleDef::instances).
    InstanceId,
    /// A clock domain; indexes [`ModuleDef::domains`](super::ModuleDef::domains).
    DomainId
);

impl DomainId {
    /// The domain that every module has, with the ports `clock` and `reset`.
    pub const DEFAULT: DomainId = DomainId(0);
}
