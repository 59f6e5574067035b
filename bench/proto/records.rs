//! The records, as Demat's types and as prost's.

use demat::{Decode, Encode};

/// Three messages of an int and a text, three doubles and ten ints.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct Three {
    pub one: Named,
    pub two: Named,
    pub three: Named,
    pub a: f64,
    pub b: f64,
    pub c: f64,
    pub d: i64,
    pub e: i64,
    pub f: i64,
    pub g: i64,
    pub h: i64,
    pub i: i64,
    pub j: i64,
    pub k: i64,
    pub l: i64,
    pub m: i64,
}

#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct Named {
    pub id: i32,
    pub text: String,
}

/// The record whose text is as long as one wants.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct Long {
    pub done: bool,
    pub marks: Vec<u32>,
    #[demat(wire = "fixed32")]
    pub address: u32,
    pub text: String,
    pub seen: bool,
    pub name: String,
}

/// The same, whose texts are those of the input.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct LongBorrowed<'a> {
    pub done: bool,
    pub marks: Vec<u32>,
    #[demat(wire = "fixed32")]
    pub address: u32,
    pub text: &'a str,
    pub seen: bool,
    pub name: &'a str,
}

pub mod peer {
    //! As prost has them.

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Three {
        #[prost(message, optional, tag = "1")]
        pub one: Option<Named>,
        #[prost(message, optional, tag = "2")]
        pub two: Option<Named>,
        #[prost(message, optional, tag = "3")]
        pub three: Option<Named>,
        #[prost(double, tag = "4")]
        pub a: f64,
        #[prost(double, tag = "5")]
        pub b: f64,
        #[prost(double, tag = "6")]
        pub c: f64,
        #[prost(int64, tag = "7")]
        pub d: i64,
        #[prost(int64, tag = "8")]
        pub e: i64,
        #[prost(int64, tag = "9")]
        pub f: i64,
        #[prost(int64, tag = "10")]
        pub g: i64,
        #[prost(int64, tag = "11")]
        pub h: i64,
        #[prost(int64, tag = "12")]
        pub i: i64,
        #[prost(int64, tag = "13")]
        pub j: i64,
        #[prost(int64, tag = "14")]
        pub k: i64,
        #[prost(int64, tag = "15")]
        pub l: i64,
        #[prost(int64, tag = "16")]
        pub m: i64,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Named {
        #[prost(int32, tag = "1")]
        pub id: i32,
        #[prost(string, tag = "2")]
        pub text: String,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Long {
        #[prost(bool, tag = "1")]
        pub done: bool,
        #[prost(uint32, repeated, tag = "2")]
        pub marks: Vec<u32>,
        #[prost(fixed32, tag = "3")]
        pub address: u32,
        #[prost(string, tag = "4")]
        pub text: String,
        #[prost(bool, tag = "5")]
        pub seen: bool,
        #[prost(string, tag = "6")]
        pub name: String,
    }
}

/// The definitions of the same, for those that go by definitions.
pub const DEFINITIONS: &str = r#"
syntax = "proto3";
message Three {
  Named one = 1; Named two = 2; Named three = 3; double a = 4; double b = 5; double c = 6; int64 d = 7; int64 e = 8;
  int64 f = 9; int64 g = 10; int64 h = 11; int64 i = 12; int64 j = 13; int64 k = 14; int64 l = 15; int64 m = 16;
}
message Named { int32 id = 1; string text = 2; }
message Long {
  bool done = 1; repeated uint32 marks = 2; fixed32 address = 3; string text = 4; bool seen = 5; string name = 6;
}
"#;

pub fn three() -> Three {
    let named = |id, text: &str| Named { id, text: text.to_owned() };
    Three {
        one: named(1, "first of them"),
        two: named(-2, "the second"),
        three: named(300, "and a third one"),
        a: 1.5,
        b: -2.25e10,
        c: 0.1,
        d: 1,
        e: 200,
        f: 30_000,
        g: 4_000_000,
        h: -5,
        i: 600_000_000_000,
        j: 7,
        k: 8_000,
        l: 9,
        m: i64::MAX,
    }
}

pub fn long(text: usize) -> Long {
    let text = "It was a bright cold day in April, and the clocks were striking. ".repeat(40)[..text].to_owned();
    Long {
        done: true,
        marks: vec![1, 2, 3, 4, 5],
        address: 0x7f00_0001,
        text,
        seen: false,
        name: "Winston_1234".into(),
    }
}
