//! Holds no code: the tests of this crate read what the derives of Demat say of code that they refuse.
