use super::Format;
use super::unknown::distance;
use crate::codec::{Setting, SettingValue, Values, WriteOptions};
use demat_core::Error;
use std::path::Path;

#[test]
fn constants_have_their_names() {
    let constants = [Format::JSON, Format::NDJSON, Format::CSV, Format::TSV, Format::ARROW, Format::PARQUET];
    let constants = constants.into_iter().chain([
        Format::PROTO,
        Format::MSGPACK,
        Format::CBOR,
        Format::XML,
        Format::NBT,
        Format::SNBT,
        Format::MCA,
        Format::TOML,
        Format::YAML,
        Format::RAW,
        Format::PLIST,
        Format::TXTPB,
        Format::AVRO,
        Format::SQLITE,
    ]);
    let names: Vec<_> = constants.map(|format| format.name().to_uppercase()).collect();
    assert_eq!(
        names,
        [
            "JSON", "NDJSON", "CSV", "TSV", "ARROW", "PARQUET", "PROTO", "MSGPACK", "CBOR", "XML", "NBT", "SNBT",
            "MCA", "TOML", "YAML", "RAW", "PLIST", "TXTPB", "AVRO", "SQLITE"
        ]
    );
}

#[test]
fn a_stream_has_a_media_type_of_the_format() {
    for format in Format::all() {
        assert!(format.media_types().contains(&format.stream_type()), "{format}");
        for other in Format::all().filter(|other| *other != format) {
            assert!(!other.media_types().iter().any(|own| format.media_types().contains(own)), "{format} {other}");
        }
    }
}

#[test]
fn suffixes_are_seen_through_compression_and_case() {
    let of = |path: &str| Format::of_path(Path::new(path));
    assert_eq!(of("a/b.json"), Some(Format::JSON));
    assert_eq!(of("a.JSONL.GZ"), Some(Format::NDJSON));
    assert_eq!(of("a.ndjson.zst"), Some(Format::NDJSON));
    assert_eq!(of("a.csv.gz"), Some(Format::CSV));
    assert_eq!(of("a.tab"), Some(Format::TSV));
    assert_eq!(of("a.feather"), Some(Format::ARROW));
    assert_eq!(of("a.Parquet"), Some(Format::PARQUET));
    assert_eq!(of("a.pb.zst"), Some(Format::PROTO));
    assert_eq!(of("a.mpk.gz"), Some(Format::MSGPACK));
    assert_eq!(of("level.dat"), Some(Format::NBT));
    assert_eq!(of("r.0.-1.mca"), Some(Format::MCA));
    assert_eq!(of("a.TOML.gz"), Some(Format::TOML));
    assert_eq!(of("a.yml"), Some(Format::YAML));
    assert_eq!(of("a.demat"), Some(Format::RAW));
    assert_eq!(of("Info.plist"), Some(Format::PLIST));
    assert_eq!(of("a.textproto"), Some(Format::TXTPB));
    assert_eq!(of("a.sqlite3"), Some(Format::SQLITE));
    assert_eq!(of("json"), None);
    assert_eq!(of(".json"), None, "a hidden file of that name has no suffix");
    assert_eq!(of("a.gz"), None);
    assert_eq!(of("a.json/b"), None);
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    let refused = |name: &str| name.parse::<Format>().unwrap_err();
    assert_eq!(refused("cvs").suggestion(), Some(Format::CSV));
    assert_eq!(refused("jsom").suggestion(), Some(Format::JSON));
    assert_eq!(refused("spreadsheet").suggestion(), None);
    assert_eq!(
        refused("jso").to_string(),
        "no format is called `jso`; there are json, ndjson, csv, tsv, arrow, parquet, proto, msgpack, cbor, xml, nbt, snbt, mca, toml, yaml, raw, plist, txtpb, avro, sqlite; did you mean `json`?"
    );
    assert_eq!("JSONL".parse(), Ok(Format::NDJSON));
}

#[test]
fn each_option_is_set_or_refused() {
    for format in Format::all() {
        let (read, write) = (format.read_options(), WriteOptions::of(format));
        for setting in format.about().read {
            let mut options = read.clone();
            format.set_read(&mut options, setting.name, |setting| Ok::<_, Error>(another(setting))).unwrap();
            assert_ne!(options, read, "reading {format}, {}", setting.name);
        }
        for setting in format.about().write {
            let mut options = write.clone();
            format.set_write(&mut options, setting.name, |setting| Ok::<_, Error>(another(setting))).unwrap();
            assert_ne!(options, write, "writing {format}, {}", setting.name);
            let takes_flags = matches!(setting.values, Values::Flag | Values::Names);
            let wrong = if takes_flags { SettingValue::Count(1) } else { SettingValue::Flag(true) };
            let error = format.set_write(&mut options, setting.name, |_| Ok::<_, Error>(wrong)).unwrap_err();
            assert!(error.to_string().contains(setting.name), "{error}");
        }
        let error = format.set_read(&mut read.clone(), "colour", |setting| setting.parse("red")).unwrap_err();
        assert!(error.to_string().starts_with(&format!("reading {format} has no option `colour`; it has ")), "{error}");
    }
}

/// Returns a value of the option that differs from its default.
fn another(setting: &Setting) -> SettingValue {
    let is_default = |text: &str| setting.default.to_lowercase() == text || setting.default == format!("{text:?}");
    let texts = match setting.values {
        Values::Choice(choices) => choices.to_vec(),
        _ => vec!["true", "false", "7", "|", "7,2", "a"],
    };
    let mut others = texts.into_iter().filter(|text| !is_default(text));
    others.find_map(|text| setting.parse(text).ok()).unwrap()
}

#[test]
fn distances_count_edits() {
    assert_eq!(distance("", "csv"), 3);
    assert_eq!(distance("cvs", "csv"), 1);
    assert_eq!(distance("csv", "csv"), 0);
    assert_eq!(distance("json", "ndjson"), 2);
}

#[test]
fn a_codec_is_about_the_format_that_it_stands_for() {
    for format in Format::all() {
        if let Some(codec) = format.codec() {
            assert_eq!(codec.about(), format.about());
        }
    }
}
