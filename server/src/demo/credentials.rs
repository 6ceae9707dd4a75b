//! What the demo tells its visitor, kept so that a second start can tell it again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use domain::id::{EndpointId, ProjectId};
use serde::{Deserialize, Serialize};

use crate::config::private_file;

/// The file in the data folder; only its owner may read it.
const FILE: &str = "demo.json";

/// How to get in.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Credentials {
    pub(crate) email: String,
    pub(crate) password: String,
    pub(crate) api_key: String,
    pub(crate) project_id: ProjectId,
    /// Where the sample receiver listened; the endpoints' URLs say so.
    pub(crate) receiver_port: u16,
    pub(crate) endpoints: Vec<KnownEndpoint>,
}

/// An endpoint on the sample receiver.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct KnownEndpoint {
    pub(crate) id: EndpointId,
    pub(crate) name: String,
    /// What the receiver verifies signatures with.
    pub(crate) secret: String,
}

impl Credentials {
    /// What an earlier start left; `None` when there was none, or it can't be read any more.
    pub(crate) fn load(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path(folder)).ok()?).ok()
    }

    pub(crate) fn save(&self, folder: &Path) -> io::Result<()> {
        private_file(&path(folder), &serde_json::to_vec_pretty(self)?)
    }
}

fn path(folder: &Path) -> PathBuf {
    folder.join(FILE)
}
