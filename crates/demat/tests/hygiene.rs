//! The derive's code compiles in any context.
#![deny(warnings, clippy::all, clippy::pedantic, missing_docs, unused_qualifications)]
#![forbid(unsafe_code)]

mod support;

use support::round_trip;

/// The crate under another name.
mod other {
    pub(crate) use demat as renamed;
}

/// Everything that generated code may be tempted to use, under the same names.
mod hostile {
    #![allow(dead_code)]

    use super::other;

    struct Option;
    struct Result;
    struct Vec;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    struct Default;
    struct Source;
    struct Sink;
    struct Shape;
    struct Record;
    mod std {}
    mod core {}
    mod demat {}

    /// A record whose parameters are called like those of the methods.
    #[derive(Debug, PartialEq, other::renamed::Encode, other::renamed::Decode)]
    #[demat(crate = other::renamed)]
    pub(crate) struct Type<S, K, __S> {
        pub(crate) source: S,
        pub(crate) sink: K,
        #[demat(default)]
        pub(crate) index: __S,
        pub(crate) error: Inner,
    }

    #[derive(Debug, PartialEq, other::renamed::Encode, other::renamed::Decode)]
    #[demat(crate = "other::renamed", tag = "Ok")]
    pub(crate) enum Inner {
        Some { record: u8 },
        None,
        Err(Empty),
    }

    #[derive(Debug, PartialEq, other::renamed::Encode, other::renamed::Decode)]
    #[demat(crate = other::renamed)]
    pub(crate) struct Empty {}

    #[derive(Debug, PartialEq, other::renamed::Encode, other::renamed::Decode)]
    #[demat(crate = other::renamed, untagged)]
    pub(crate) enum Either<A> {
        A(A),
        B(),
        C(u8, u8),
    }
}

#[test]
fn names_of_the_place_do_not_matter() {
    use hostile::{Either, Empty, Inner, Type};
    for error in [Inner::None, Inner::Some { record: 1 }, Inner::Err(Empty {})] {
        round_trip(&Type { source: 1u8, sink: true, index: String::new(), error });
    }
    round_trip(&Either::A(true));
    round_trip(&Either::<bool>::B());
    round_trip(&Either::<bool>::C(1, 2));
}

#[test]
fn types_may_stand_in_functions() {
    #[derive(Debug, PartialEq, demat::Encode, demat::Decode)]
    struct Local {
        #[deprecated]
        #[allow(clippy::struct_field_names)]
        old: Option<u8>,
        #[demat(flatten)]
        rest: std::collections::HashMap<String, u8>,
    }
    #[allow(deprecated)]
    let local = Local { old: None, rest: [("a".to_string(), 1)].into() };
    round_trip(&local);
    assert_eq!(map! {"old": 1}.to::<Local>().expect("decoded").rest.len(), 0);
    assert_eq!(support::refusal::<Vec<u8>>(&list![true]).path(), "$[0]");
}
