//! Derives Demat's Encode and Decode for structs and enums.
