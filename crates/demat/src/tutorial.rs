//! How to derive (soon).
