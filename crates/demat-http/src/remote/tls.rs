//! The trusted certificates.

use demat_core::{Error, ErrorKind, Result};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use std::path::Path;
use std::sync::Arc;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// Returns the configuration of rustls, with the certificates of a PEM file or those of the system.
pub(super) fn config(roots: Option<&Path>) -> Result<TlsConfig> {
    let all = match roots {
        Some(path) => {
            let all = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<core::result::Result<_, _>>);
            all.map_err(|cause| {
                let error = Error::new(ErrorKind::Io, "its certificates can't be read").because(cause);
                error.in_place(path.display().to_string())
            })?
        }
        None => rustls_native_certs::load_native_certs().certs,
    };
    let all = all.iter().map(|own| Certificate::from_der(own).to_owned());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(TlsConfig::builder().root_certs(RootCerts::from(all)).unversioned_rustls_crypto_provider(provider).build())
}
