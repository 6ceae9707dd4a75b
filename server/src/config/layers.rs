//! Flag before environment before file before default: one text for each variable, still unread.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::ConfigError;
use super::settings::{CONFIG_FILE, SETTINGS, Setting};

/// The texts that were given; a variable that nobody gave is missing, one that is empty counts as
/// not given, so that `BOTIX_REDIS_URL=` in a compose file means none.
#[derive(Debug, Default)]
pub(crate) struct Layers(BTreeMap<&'static str, String>);

impl Layers {
    /// From the command line and the environment, which clap has read, and the file they name.
    pub(crate) fn collect(matches: &ArgMatches) -> Result<Self, ConfigError> {
        let given = |setting: &Setting| {
            let text = matches.get_one::<String>(&setting.key())?;
            let by_whom = matches.value_source(&setting.key());
            let counts = by_whom == Some(ValueSource::CommandLine) || !text.trim().is_empty();
            counts.then(|| text.clone())
        };
        let mut texts = match given(&CONFIG_FILE) {
            Some(path) => from_file(Path::new(&path))?,
            None => BTreeMap::new(),
        };
        for setting in SETTINGS {
            if let Some(text) = given(setting) {
                texts.insert(setting.variable, text);
            }
        }
        Ok(Self(texts))
    }

    /// What was given for `variable`, else its default if that is a value.
    pub(crate) fn text(&self, variable: &'static str) -> Option<&str> {
        let default = || SETTINGS.iter().find(|s| s.variable == variable && s.literal).map(|s| s.default);
        self.0.get(variable).map(String::as_str).or_else(default)
    }

    /// Whether somebody gave `variable`.
    pub(crate) fn is_given(&self, variable: &str) -> bool {
        self.0.contains_key(variable)
    }

    /// Sets what `demo` needs where nobody said otherwise.
    pub(crate) fn set_default(&mut self, variable: &'static str, text: &str) {
        self.0.entry(variable).or_insert_with(|| text.to_owned());
    }

    /// Adds to a list.
    pub(crate) fn append(&mut self, variable: &'static str, text: &str) {
        let list = self.0.entry(variable).or_default();
        if !list.is_empty() {
            list.push(',');
        }
        list.push_str(text);
    }

    #[cfg(test)]
    pub(crate) fn of(pairs: &[(&'static str, &str)]) -> Self {
        Self(pairs.iter().map(|(variable, text)| (*variable, (*text).to_owned())).collect())
    }
}

fn from_file(path: &Path) -> Result<BTreeMap<&'static str, String>, ConfigError> {
    let wrong = |accepted: String| ConfigError {
        variable: CONFIG_FILE.variable.to_owned(),
        value: Some(path.display().to_string()),
        accepted,
    };
    let text = fs::read_to_string(path).map_err(|error| wrong(format!("must be a readable file ({error})")))?;
    let table: toml::Table = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1));
        wrong(format!("must be TOML (line {line}: {})", error.message()))
    })?;
    let mut texts = BTreeMap::new();
    for (key, value) in table {
        let setting = SETTINGS.iter().find(|setting| setting.key() == key);
        let setting = setting.ok_or_else(|| wrong(format!("has an unknown key, {key:?}; botix --help lists them")))?;
        let text = scalar(&value).ok_or_else(|| wrong(format!("{key} must be a text, a number or a list of texts")))?;
        texts.insert(setting.variable, text);
    }
    Ok(texts)
}

/// A text, a number, or a list of them joined as the environment writes it.
fn scalar(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Datetime(date) => Some(date.to_string()),
        toml::Value::Array(items) => Some(items.iter().map(scalar).collect::<Option<Vec<_>>>()?.join(",")),
        toml::Value::Float(_) | toml::Value::Boolean(_) | toml::Value::Table(_) => None,
    }
}
