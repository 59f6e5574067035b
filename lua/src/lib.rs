//! The native module of `demat` for Lua.
//!
//! Three rules keep the interpreter's errors, which jump over frames, from leaking memory or worse:
//!
//! * A function of the module (`host::run`) returns the error as a value to its outermost frame, which owns nothing and
//!   raises it.
//! * Calls that may raise are made in *phases*: functions that own nothing, under a protected call (`host::protected`).
//! * Sources and sinks, which own memory, run between phases and never call the interpreter.
#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)] // Lua's sizes are signed, but never negative
#![allow(non_snake_case, reason = "Lua's API calls its state `L`")]

#[cfg(not(any(
    all(feature = "lua51", not(feature = "lua54"), not(feature = "luajit")),
    all(feature = "lua54", not(feature = "lua51"), not(feature = "luajit")),
    all(feature = "luajit", not(feature = "lua51"), not(feature = "lua54")),
)))]
compile_error!("the module is built for exactly one of the features lua51, lua54 and luajit");

mod builder;
mod config;
mod decode;
mod encode;
mod ffi;
mod format;
mod host;
mod layout;
mod number;
mod open;
mod place;
mod prepared;
mod proof;
mod raised;
mod records;
mod sqlite;
mod tape;
mod untyped;
mod walk;
