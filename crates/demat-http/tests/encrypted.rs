//! A store over an encrypted connection, with a certificate made for these tests.
#![cfg(all(feature = "remote", feature = "tls"))]

mod served;

use demat_core::{ErrorKind, Value};
use demat_http::{Options, Remote, RemoteOptions};
use demat_place::Format;
use demat_store::{Encoded, Memory, Query, Store, When, collected};
use served::{Served, quick};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificate").join(name)
}

#[test]
fn who_is_trusted_is_asked() {
    let tls = Some((own("chain.pem"), own("key.pem")));
    let served = Served::new(Arc::new(Memory::new()), Options { tls, ..quick() });
    let url = served.url().replace("http://", "https://");
    let remote = |url: &str, roots: Option<&str>| {
        Remote::new(url, RemoteOptions { roots: roots.map(own), ..RemoteOptions::default() })
    };
    let trusted = remote(&url, Some("chain.pem")).unwrap();
    trusted.put(&[], &mut Encoded::new(Format::JSON, &b"[1]"[..]), &When::Always).unwrap();
    let one = Value::List(vec![Value::Int(1.into())]);
    assert_eq!(collected(&trusted, &[], &Query::default()).unwrap(), one);
    // The certificate is not signed by any authority that the system trusts.
    let error = collected(&remote(&url, None).unwrap(), &[], &Query::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    // Unencrypted connections are refused by both sides.
    let plain = remote(&served.url(), None).unwrap();
    assert_eq!(collected(&plain, &[], &Query::default()).unwrap_err().kind(), ErrorKind::Io);
    let other = Served::new(Arc::new(Memory::new()), quick());
    let other = remote(&other.url().replace("http://", "https://"), Some("chain.pem")).unwrap();
    assert_eq!(collected(&other, &[], &Query::default()).unwrap_err().kind(), ErrorKind::Io);
    assert!(remote(&url, Some("none.pem")).is_err());
}
