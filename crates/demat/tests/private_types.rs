//! Public types with fields of private types.

#[allow(unreachable_pub)] // only a public type shows its associated types
mod inner {
    use demat::{Decode, Encode};

    #[derive(Debug, Clone, PartialEq, Default, Encode, Decode)]
    struct Hidden {
        x: u8,
    }

    /// It shows none of its fields.
    #[derive(Debug, Clone, PartialEq, Default, Encode, Decode)]
    pub struct Shown {
        hidden: Hidden,
        many: Vec<Hidden>,
        next: Option<Box<Self>>,
        #[demat(flatten)]
        flat: Flat<Hidden>,
    }

    #[derive(Debug, Clone, PartialEq, Default, Encode, Decode)]
    struct Flat<T> {
        #[demat(default)]
        y: T,
    }

    /// With parameters of each kind.
    #[derive(Debug, PartialEq, Encode, Decode)]
    pub struct Generic<'a, T: Clone, const N: usize>
    where
        T: PartialEq,
    {
        name: &'a str,
        hidden: Option<Hidden>,
        values: Vec<T>,
        #[demat(skip, default = [0; N])]
        count: [u8; N],
    }

    /// A union.
    #[derive(Debug, PartialEq, Encode, Decode)]
    pub enum Either {
        /// With a private type.
        A(#[allow(private_interfaces)] Kept),
        /// Nothing.
        B,
    }

    /// A newtype.
    #[derive(Debug, PartialEq, Encode, Decode)]
    pub struct Kept(Hidden);

    impl Shown {
        /// Returns one that holds another.
        pub fn nested() -> Self {
            let one = Self { hidden: Hidden { x: 1 }, many: vec![Hidden { x: 2 }], ..Self::default() };
            Self { next: Some(Box::new(one)), flat: Flat { y: Hidden { x: 3 } }, ..Self::default() }
        }
    }

    impl<'a> Generic<'a, u8, 3> {
        /// Returns one.
        pub fn one(name: &'a str) -> Self {
            Self { name, hidden: Some(Hidden { x: 4 }), values: vec![5], count: [0; 3] }
        }
    }

    impl Either {
        /// Returns one.
        pub fn one() -> Self {
            Self::A(Kept(Hidden { x: 6 }))
        }
    }
}

use demat::json;

#[test]
fn private_types_stay_private() {
    let shown = inner::Shown::nested();
    let text = json::encode(&shown).expect("written");
    assert_eq!(json::decode::<inner::Shown>(&text).expect("read"), shown);
    let text = json::encode(&inner::Generic::one("n")).expect("written");
    assert_eq!(text, br#"{"name":"n","hidden":{"x":4},"values":[5]}"#);
    assert_eq!(json::decode::<inner::Generic<'_, u8, 3>>(&text).expect("read"), inner::Generic::one("n"));
    let text = json::encode(&inner::Either::one()).expect("written");
    assert_eq!(json::decode::<inner::Either>(&text).expect("read"), inner::Either::one());
}
