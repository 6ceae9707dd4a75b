//! The secret key: given, or made once and kept in the data folder; and texts that are never shown.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use domain::Entropy;
use domain::entropy::random_bytes;
use store::Keyring;

use super::read::wrong;
use super::{Config, ConfigError, Layers};
use crate::hex::hex;

/// The shortest accepted key, in bytes.
const MIN: usize = 32;
/// The file in the data folder.
const FILE: &str = "secret.key";

/// A text that is never shown.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// A key of the configuration.
    pub(crate) fn read(layers: &Layers, variable: &'static str) -> Result<Option<Self>, ConfigError> {
        layers.optional(variable, "must be 32 bytes or more", |text| (text.len() >= MIN).then(|| Self::new(text)))
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// The working keys. Makes the secret key when none is given and this is not production.
pub(crate) fn keyring(config: &Config, entropy: &dyn Entropy) -> Result<Keyring, ConfigError> {
    let secret = match &config.secret_key {
        Some(secret) => secret.clone(),
        None if config.production => {
            return Err(wrong("BOTIX_SECRET_KEY", "", "must be set, 32 bytes or more, when BOTIX_ENV=production"));
        }
        None => kept(&config.data_dir, entropy)?,
    };
    let previous = config.secret_key_previous.as_ref().map(|secret| secret.expose().as_bytes());
    Keyring::derive(secret.expose().as_bytes(), previous)
        .map_err(|error| wrong("BOTIX_SECRET_KEY", "", error.to_string()))
}

/// The key in the data folder, made when it is missing. Of two processes that start at once, one
/// makes it and the other reads it.
fn kept(folder: &Path, entropy: &dyn Entropy) -> Result<Secret, ConfigError> {
    let path = folder.join(FILE);
    let wrong = |error: io::Error| {
        wrong("BOTIX_DATA_DIR", &folder.display().to_string(), format!("must be a folder to write to ({error})"))
    };
    private_folder(folder).map_err(wrong)?;
    if !path.exists() {
        let text = hex(&random_bytes::<32>(entropy));
        let unfinished = folder.join(format!("{FILE}.{}", std::process::id()));
        private_file(&unfinished, text.as_bytes()).map_err(wrong)?;
        let made = fs::hard_link(&unfinished, &path);
        fs::remove_file(&unfinished).map_err(wrong)?;
        made.or_else(|error| if error.kind() == io::ErrorKind::AlreadyExists { Ok(()) } else { Err(error) })
            .map_err(wrong)?;
    }
    let text = fs::read_to_string(&path).map_err(wrong)?;
    let text = text.trim();
    if text.len() < MIN {
        return Err(wrong(io::Error::other(format!("{FILE} in it is damaged: shorter than 32 bytes"))));
    }
    Ok(Secret::new(text))
}

/// Makes a folder, with those above it, that only its owner may enter. One that exists stays as it is.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Writes a file that only its owner may read.
pub(crate) fn private_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = private_options().create(true).truncate(true).open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Makes an empty file that only its owner may read, unless there is a file already.
pub(crate) fn private_if_missing(path: &Path) -> io::Result<()> {
    match private_options().create_new(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn private_options() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
