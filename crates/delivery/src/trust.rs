//! Whom TLS trusts: the public authorities that browsers trust, and those an operator adds.

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

/// Authorities that are trusted beside the public ones, such as a company's own.
#[derive(Clone, Debug, Default)]
pub struct ExtraRoots(Vec<CertificateDer<'static>>);

impl ExtraRoots {
    /// Reads the certificates of a PEM file. `None` where there is none, or one that can't be read:
    /// an authority that is silently left out would look like a receiver's fault later.
    pub fn from_pem(pem: &[u8]) -> Option<Self> {
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().ok()?;
        let mut store = RootCertStore::empty();
        let is_good = !certificates.is_empty() && certificates.iter().all(|one| store.add(one.clone()).is_ok());
        is_good.then_some(Self(certificates))
    }

    /// All that are trusted.
    pub(crate) fn store(&self) -> RootCertStore {
        let mut store: RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
        store.add_parsable_certificates(self.0.iter().cloned());
        store
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_no_certificate_is_refused() {
        let no_authority = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        for bad in ["", "not a certificate", no_authority] {
            assert!(ExtraRoots::from_pem(bad.as_bytes()).is_none(), "{bad}");
        }
    }

    #[test]
    fn the_public_authorities_are_always_trusted() {
        assert_eq!(ExtraRoots::default().store().len(), webpki_roots::TLS_SERVER_ROOTS.len());
    }
}
