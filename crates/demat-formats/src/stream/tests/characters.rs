//! Compares the two ways to count characters.

use super::super::base::{characters, counted};

#[test]
fn characters_are_counted_either_way() {
    let text = format!("{}ü{}€𝄞{}", "a".repeat(5000), "b".repeat(4090), "c".repeat(9000));
    for end in [0, 1, 4095, 4096, 5000, 5001, 5002, 9094, 9100, 18_000, text.len()] {
        let bytes = &text.as_bytes()[..end];
        assert_eq!(characters(bytes), counted(bytes), "{end}");
    }
    assert_eq!(characters(text.as_bytes()), text.chars().count() as u64);
}
