#![cfg_attr(fuzzing, no_main)]
demat_fuzz::target!(demat_fuzz::avro_file);
