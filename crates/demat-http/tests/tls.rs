//! Encrypted connections, with a certificate made here.
#![cfg(feature = "tls")]
#![allow(clippy::print_stdout)] // the tests print their measurements

mod support;

use demat_http::Options;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use support::{Got, Running, parsed};
use tempfile::TempDir;

/// Returns a server with a certificate for `localhost`, and the certificate.
fn encrypted() -> (Running, CertificateDer<'static>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_string()]).unwrap();
    let (chain, key) = (folder.path().join("chain.pem"), folder.path().join("key.pem"));
    std::fs::write(&chain, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let options = Options { tls: Some((chain, key)), urls: Some("url".into()), ..Options::default() };
    (Running::new(options), made.cert.der().clone(), folder)
}

fn asked(own: &Running, trusted: Option<CertificateDer<'static>>, request: &str) -> std::io::Result<Got> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(trusted);
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let client = ClientConnection::new(Arc::new(config), ServerName::try_from("localhost").unwrap()).unwrap();
    let mut stream = StreamOwned::new(client, own.open());
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(parsed(&answer))
}

#[test]
fn what_is_encrypted_is_as_what_is_not() {
    let (own, certificate, _folder) = encrypted();
    let ask = |request: &str| asked(&own, Some(certificate.clone()), request).unwrap();
    let task = r#"{"title":"secret"}"#;
    let made = ask(&format!(
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{task}",
        task.len()
    ));
    assert_eq!((made.status, made.header("location")), (201, Some("https://localhost/tasks/1")));
    let got = ask("GET /tasks HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    assert!(got.text().contains("https://localhost/tasks/1"), "{}", got.text());
    assert_eq!(ask("GET /tasks HTTP/1.1\nhost: localhost\r\nconnection: close\r\n\r\n").status, 400);
    // An answer of many TLS records.
    let rows: Vec<_> = (0..20_000).map(|id| format!(r#"{{"id":{},"title":"t"}}"#, id + 10)).collect();
    let rows = format!("[{}]", rows.join(","));
    let head = format!(
        "PUT /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}",
        rows.len()
    );
    assert_eq!(ask(&format!("{head}\r\n\r\n{rows}")).status, 204, "it is too long to be told whole");
    let all = ask("GET /tasks?fields=id,title HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    assert_eq!(all.text(), rows);
}

#[test]
fn who_does_not_trust_or_does_not_encrypt_gets_nothing() {
    let (own, certificate, _folder) = encrypted();
    let request = "GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    assert!(asked(&own, None, request).is_err());
    let plain = own.raw(request);
    assert!(plain.status == 0 && !plain.text().contains("ok"), "{plain:?}");
    assert_eq!(asked(&own, Some(certificate), request).unwrap().status, 200);
}

#[test]
fn what_is_no_certificate_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (chain, key) = (folder.path().join("chain.pem"), folder.path().join("key.pem"));
    let bind = |chain: &Path, key: &Path| {
        let options = Options { port: 0, tls: Some((chain.into(), key.into())), ..Options::default() };
        demat_http::Server::bind(Vec::<(String, demat_http::Mount)>::new(), options).unwrap_err().to_string()
    };
    assert!(bind(&chain, &key).contains("chain.pem"));
    std::fs::write(&chain, "no certificate").unwrap();
    std::fs::write(&key, "no key").unwrap();
    assert!(bind(&chain, &key).contains(".pem"));
}

/// An independent client, if it is installed.
#[test]
fn curl_is_served() {
    let (own, _, folder) = encrypted();
    let url = format!("https://localhost:{}/health", own.address.port());
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--fail", "--max-time", "20", "--ipv4", "--cacert"]);
    match curl.arg(folder.path().join("chain.pem")).arg(url).output() {
        Err(_) => println!("SKIPPED: curl is not there"),
        Ok(got) => assert_eq!(String::from_utf8_lossy(&got.stdout), r#"{"status":"ok"}"#, "{got:?}"),
    }
}
