//! Where each surface of contract section 1 is reached.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use url::Url;

use super::{ConfigError, Layers};

/// What was configured.
#[derive(Clone, Debug)]
pub(crate) struct Urls {
    api: Option<Url>,
    app: Option<Url>,
    inspector: Option<Url>,
    docs: Option<Url>,
}

/// The absolute URLs, without a slash at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Surfaces {
    pub(crate) api: String,
    pub(crate) app: String,
    pub(crate) inspector: String,
    pub(crate) docs: String,
}

impl Urls {
    pub(crate) fn read(layers: &Layers) -> Result<Self, ConfigError> {
        Ok(Self {
            api: layers.surface("BOTIX_API_URL")?,
            app: layers.surface("BOTIX_APP_URL")?,
            inspector: layers.surface("BOTIX_INSPECTOR_URL")?,
            docs: layers.surface("BOTIX_DOCS_URL")?,
        })
    }

    /// What is not configured is on the dashboard's origin, or the API's, or where we listen.
    pub(crate) fn resolve(&self, listening: SocketAddr) -> Surfaces {
        let origin = |url: &Url| url.origin().ascii_serialization();
        let one = self.app.as_ref().or(self.api.as_ref()).map_or_else(|| local(listening), origin);
        let given = |url: &Option<Url>| url.as_ref().map(|url| url.as_str().trim_end_matches('/').to_owned());
        Surfaces {
            api: given(&self.api).unwrap_or_else(|| one.clone()),
            app: given(&self.app).unwrap_or_else(|| one.clone()),
            inspector: given(&self.inspector).unwrap_or_else(|| one.clone()),
            docs: given(&self.docs).unwrap_or_else(|| format!("{one}/docs")),
        }
    }
}

impl Surfaces {
    /// The host names of API, dashboard, inspector and docs.
    pub(crate) fn hosts(&self) -> [String; 4] {
        let host = |url: &String| Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_ascii_lowercase));
        [&self.api, &self.app, &self.inspector, &self.docs].map(|url| host(url).unwrap_or_default())
    }

    /// Whether a request's host says which surface it is for.
    pub(crate) fn distinct_hosts(&self) -> bool {
        let hosts = self.hosts();
        hosts.iter().any(|host| *host != hosts[0])
    }
}

/// A URL that reaches `listening` from this machine.
fn local(listening: SocketAddr) -> String {
    let ip = match listening.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    format!("http://{}", SocketAddr::new(ip, listening.port()))
}
