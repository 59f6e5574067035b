//! Every engine once, with its answers compared.

use crate::engine::{About, Engine, Job};
use crate::engines::{DEMAT, all};
use crate::record::{Control, Nested, Records};
use crate::{Options, check, clock};

/// Runs all jobs of all engines with a record.
fn run<R: Records>() {
    let formats = all::<R>().expect("all engines read what they wrote");
    assert_eq!(formats.len(), 12);
    for mut format in formats {
        check::<R>(&mut format).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format[0].about.name, DEMAT);
        assert!(format.len() > 1, "{} has no peer", format[0].about.format);
        for engine in &mut format {
            for job in Job::ALL {
                engine.run(job, 130).unwrap_or_else(|error| panic!("{:?}: {error}", engine.about));
            }
            assert!(!engine.bytes.is_empty());
        }
    }
}

#[test]
fn every_engine_reads_and_writes_the_record() {
    run::<Nested>();
}

#[test]
fn and_the_control() {
    run::<Control>();
}

#[test]
fn times_are_those_of_every_engine() {
    let mut format = all::<Nested>().expect("engines").remove(0);
    let times = clock::measure(&mut format, Job::Write, 2).expect("times");
    assert_eq!(times.len(), format.len());
    assert!(times.iter().all(|time| 0.0 < time.min && time.min <= time.median), "{times:?}");
}

/// An engine of one byte, whose answers are as given.
fn faulty(read: impl Fn(u8) -> u8 + 'static, write: impl Fn(u8) -> u8 + 'static) -> Result<Engine, String> {
    Engine::new(
        About::new("bytes", "faulty"),
        7_u8,
        move |bytes| Ok(read(bytes[0])),
        move |record, buffer: &mut Vec<u8>| {
            let last = buffer.first().copied().unwrap_or(*record);
            *buffer = vec![write(last)];
            Ok(buffer)
        },
    )
    .map_err(|error| error.to_string())
}

#[test]
fn wrong_answers_end_the_run() {
    assert!(faulty(|byte| byte, |byte| byte).is_ok());
    let error = faulty(|byte| byte + 1, |byte| byte).err();
    assert_eq!(error.as_deref(), Some("bytes of faulty: expected 7, found 8"));
    let error = faulty(|byte| byte, |byte| byte + 1).err();
    assert_eq!(error.as_deref(), Some("bytes of faulty: the second document differs from the first"));
}

#[test]
fn arguments() {
    let parse = |text: &str| Options::parse(text.split_whitespace().map(str::to_owned));
    let options = parse("--rounds 3 --formats XML,plist").expect("options");
    assert_eq!(options.rounds, 3);
    assert!(options.has("XML") && options.has("plist, binary") && !options.has("JSON"));
    assert!(parse("").expect("options").has("JSON"));
    for wrong in ["--rounds", "--rounds 0", "--rounds many", "--what 1"] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}
