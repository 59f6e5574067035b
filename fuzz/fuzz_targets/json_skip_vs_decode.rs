#![cfg_attr(fuzzing, no_main)]
demat_fuzz::target!(demat_fuzz::json_skip_vs_decode);
