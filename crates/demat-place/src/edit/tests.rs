use super::EditJob;
use crate::{Compression, Format, Place, Target};
use demat_core::{Error, ErrorKind, Result, Source};
use demat_formats::stream::{Change, Edited, Found};
use std::fs;
use std::path::Path;

/// Puts one text in the place of each record.
struct Puts(&'static str);

impl Change for Puts {
    fn change(&mut self, source: &mut dyn Source<'_>, _: &Found<'_>) -> Result<Option<Vec<u8>>> {
        source.skip()?;
        Ok(Some(self.0.as_bytes().to_vec()))
    }
}

struct Refuses;

impl Change for Refuses {
    fn change(&mut self, _: &mut dyn Source<'_>, record: &Found<'_>) -> Result<Option<Vec<u8>>> {
        if record.number < 3 { Ok(Some(b"0".to_vec())) } else { Err(Error::new(ErrorKind::Constraint, "no")) }
    }
}

const LINES: &str = "{\"id\": 1}\n{\"id\": 22 }\n{\"id\": 3}\n";

fn job(path: &Path) -> EditJob<'static> {
    EditJob::new(Place::from(path), Format::LINES)
}

#[test]
fn a_condition_chooses_what_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ndjson");
    // With a shape, and with none.
    for shaped in [true, false] {
        fs::write(&path, LINES).unwrap();
        let job = job(&path).matching("id > 20".parse().unwrap());
        let job = if shaped { job.shape("{id:int}".parse().unwrap()) } else { job };
        assert_eq!(job.run(&mut Puts("{}")).unwrap(), Edited { records: 1, changed: 1 });
        assert_eq!(fs::read_to_string(&path).unwrap(), LINES.replace("{\"id\": 22 }", "{}"));
    }
    let error = job(&path).matching("name = 'x'".parse().unwrap()).run(&mut Puts("{}")).unwrap_err();
    assert!(error.to_string().contains("name"), "{error}");
}

#[test]
fn a_file_is_whole_or_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ndjson");
    fs::write(&path, LINES).unwrap();
    let error = job(&path).run(&mut Refuses).unwrap_err();
    assert!(error.to_string().contains("a.ndjson") && error.position().record == Some(3), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), LINES);
    fs::write(&path, format!("{LINES}{{")).unwrap();
    job(&path).run(&mut Puts("0")).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{LINES}{{"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn without_changes_it_is_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("a.ndjson"), folder.path().join("b.ndjson"));
    fs::write(&path, "7\n7").unwrap();
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(job(&path).run(&mut Puts("7")).unwrap(), Edited { records: 2, changed: 0 });
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
    // Another one is written whatever changed.
    job(&path).to(Place::from(&copy)).run(&mut Puts("7")).unwrap();
    assert_eq!(fs::read_to_string(&copy).unwrap(), "7\n7");
    job(&path).to(Place::from(&copy)).run(&mut Puts("8")).unwrap();
    assert_eq!(
        (fs::read_to_string(&path).unwrap(), fs::read_to_string(&copy).unwrap()),
        ("7\n7".into(), "8\n8".into())
    );
}

#[test]
fn compression_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    for (name, packed) in [("a.ndjson.gz", Compression::Gzip), ("a.ndjson.zst", Compression::Zstd)] {
        let path = folder.path().join(name);
        let mut target = Target::create_packed(&Place::from(&path), Some(packed)).unwrap();
        target.write(LINES.as_bytes()).unwrap();
        target.finish().unwrap();
        job(&path).run(&mut Puts("5")).unwrap();
        let numbers = crate::read::<u64>(&path).unwrap();
        assert_eq!(numbers.collect::<Result<Vec<_>>>().unwrap(), [5, 5, 5]);
    }
}

#[test]
fn other_places_and_formats_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    fs::write(&path, "id = 1\n").unwrap();
    let error = EditJob::new(Place::from(&path), Format::TOML).run(&mut Puts("2")).unwrap_err();
    assert!(error.to_string().contains("toml can't be edited"), "{error}");
    let error = EditJob::new(Place::Standard, Format::LINES).run(&mut Puts("2")).unwrap_err();
    assert!(error.to_string().contains("only files"), "{error}");
    let error = job(&path).to(Place::Standard).run(&mut Puts("2")).unwrap_err();
    assert!(error.to_string().contains("only files"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "id = 1\n");
}
