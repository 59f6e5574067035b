//! Functions with options of their own.

use crate::ffi::{self, lua_CFunction, lua_State};
use crate::host::{Host, Outcome, protected, wrong};
use core::ffi::{c_int, c_void};

/// What is made in a phase.
struct Made {
    function: lua_CFunction,
    userdata: *mut *mut c_void,
    free: lua_CFunction,
}

/// Pushes a function whose values are the host, the options in a userdata, and the value on the top.
///
/// # Safety
/// A function of the module runs, and there is a value on the top.
pub(crate) unsafe fn push<T>(
    state: *mut lua_State,
    host: &Host,
    options: T,
    function: lua_CFunction,
) -> Result<c_int, Outcome> {
    unsafe fn made(state: *mut lua_State, data: *mut c_void) -> c_int {
        // SAFETY: the data is of this type. The arguments are the userdata of the host and the third value.
        unsafe {
            let made = data.cast::<Made>();
            let userdata = ffi::new_userdata(state, size_of::<*mut c_void>()).cast::<*mut c_void>();
            userdata.write(core::ptr::null_mut());
            ffi::lua_createtable(state, 0, 1);
            ffi::lua_pushcclosure(state, (*made).free, 0);
            ffi::lua_setfield(state, -2, c"__gc".as_ptr());
            ffi::lua_setmetatable(state, -2);
            (*made).userdata = userdata;
            ffi::insert(state, 3);
            ffi::lua_pushcclosure(state, (*made).function, 3);
        }
        1
    }
    unsafe extern "C-unwind" fn free<T>(state: *mut lua_State) -> c_int {
        // SAFETY: the argument is the userdata that was made above, of the same type.
        unsafe {
            let userdata = ffi::lua_touserdata(state, 1).cast::<*mut T>();
            if !userdata.is_null() && !(*userdata).is_null() {
                drop(Box::from_raw(userdata.replace(core::ptr::null_mut())));
            }
        }
        0
    }
    let mut made_of = Made { function, userdata: core::ptr::null_mut(), free: free::<T> };
    // SAFETY: the phase owns nothing. The userdata stays alive in the function on the top.
    unsafe {
        ffi::lua_pushvalue(state, ffi::upvalue(1));
        ffi::insert(state, -2);
        protected(state, host.refs, made, &mut made_of, 2, 1)?;
        made_of.userdata.cast::<*mut T>().write(Box::into_raw(Box::new(options)));
    }
    Ok(1)
}

/// Returns the options of the function that runs.
///
/// # Safety
/// It was made by [`push`] with this type.
pub(crate) unsafe fn get<'a, T>(state: *mut lua_State) -> Result<&'a T, Outcome> {
    // SAFETY: the second value is the userdata, which the running function keeps alive.
    unsafe {
        let userdata = ffi::lua_touserdata(state, ffi::upvalue(2)).cast::<*mut T>();
        (*userdata).as_ref().ok_or_else(|| wrong("the interpreter is being closed").into())
    }
}
