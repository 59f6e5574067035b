//! Whole tables read as pages: many times as fast as by statements.
