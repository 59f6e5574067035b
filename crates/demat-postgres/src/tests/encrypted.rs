use super::json;
use super::server::encrypting;
use crate::{Address, Connection};

#[test]
fn connections_are_encrypted_as_they_are_asked_to_be() {
    let Some(server) = encrypting() else { return };
    let certificate = server.certificate.display();
    let open = |host: &str, parameters: &str| {
        let url = format!("postgresql://postgres@{host}:{}/postgres?{parameters}", server.port);
        Connection::open(&Address::parse(&url).unwrap())
    };
    let is_encrypted = |connection: &Connection| {
        let sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
        json(connection, sql).unwrap().contains("true")
    };
    for (parameters, encrypted) in [
        ("sslmode=disable", false),
        ("sslmode=prefer", true),
        ("application_name=x", true),
        ("sslmode=require", true),
        (&format!("sslmode=verify-full&sslrootcert={certificate}"), true),
    ] {
        let connection = open("localhost", parameters).unwrap();
        assert_eq!(is_encrypted(&connection), encrypted, "{parameters}");
    }
    // The certificate is that of no authority, or for another name.
    open("localhost", "sslmode=verify-full").unwrap_err();
    open("127.0.0.1", &format!("sslmode=verify-full&sslrootcert={certificate}")).unwrap_err();
    open("localhost", "sslmode=verify-full&sslrootcert=/nowhere.crt").unwrap_err();
    std::fs::remove_file(&server.certificate).unwrap();
}

#[test]
fn a_server_without_encryption_is_refused_where_it_is_required() {
    // It answers the request for encryption with `N`.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let answering = std::thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 8];
        stream.read_exact(&mut request).unwrap();
        stream.write_all(b"N").unwrap();
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
        rest
    });
    let url = format!("postgresql://a:hunter2@127.0.0.1:{port}/x?sslmode=require");
    let error = Connection::open(&Address::parse(&url).unwrap()).unwrap_err().to_string();
    assert!(error.contains("does not support TLS"), "{error}");
    // Nothing was said without encryption.
    assert_eq!(answering.join().unwrap(), b"");
}
