//! Sealing anew what the previous secret key sealed, so that it can be taken away.
//!
//! Row by row, guarded by the old bytes: a secret that is rotated or an answer that is stored in
//! between stays as the newer writer left it, sealed with the current key already.

use domain::id::{ApiKeyId, BinId, EndpointId};
use serde::Serialize;

use crate::error::StoreError;
use crate::idempotency;
use crate::keys::Keyring;
use crate::sql::Sql;
use crate::store::Store;
use crate::tx::Tx;

/// Rows that one transaction looks at.
const BATCH: u32 = 200;

/// What was sealed anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Resealed {
    /// Endpoints' secrets.
    pub endpoints: u64,
    /// Addresses of the inspector's bins.
    pub bins: u64,
    /// Stored answers of idempotency keys.
    pub idempotency_keys: u64,
}

/// Seals everything with the current key. Can be repeated, and broken off at any moment.
///
/// # Errors
/// [`StoreError::Inconsistent`] when a row can be opened with neither key; what was done stays done.
pub async fn reseal(store: &Store) -> Result<Resealed, StoreError> {
    let mut done = Resealed::default();
    let mut after = String::new();
    loop {
        let from = after.clone();
        let (last, changed) = store.write(move |tx| Box::pin(async move { endpoints(tx, &from).await })).await?;
        done.endpoints += changed;
        match last {
            Some(last) => after = last,
            None => break,
        }
    }
    let mut after = String::new();
    loop {
        let from = after.clone();
        let (last, changed) = store.write(move |tx| Box::pin(async move { bins(tx, &from).await })).await?;
        done.bins += changed;
        match last {
            Some(last) => after = last,
            None => break,
        }
    }
    let mut after = (String::new(), String::new());
    loop {
        let from = after.clone();
        let (last, changed) = store.write(move |tx| Box::pin(async move { answers(tx, &from).await })).await?;
        done.idempotency_keys += changed;
        match last {
            Some(last) => after = last,
            None => return Ok(done),
        }
    }
}

/// One batch behind `after`: its last id, unless there was nothing more, and how many changed.
async fn endpoints(tx: &mut Tx, after: &str) -> Result<(Option<String>, u64), StoreError> {
    let query = Sql::new("SELECT id, secret, previous_secret FROM btx_webhook_endpoint WHERE id > ").bind(after);
    let found = query.push(" ORDER BY id LIMIT ").bind(BATCH).fetch_all(tx).await?;
    let (mut last, mut changed) = (None, 0);
    for row in found {
        let id: EndpointId = row.parse("id")?;
        last = Some(id.to_string());
        let (secret, previous) = (row.bytes("secret")?, row.opt_bytes("previous_secret")?);
        let keys = tx.keys().clone();
        if keys.is_current(&secret) && previous.as_ref().is_none_or(|sealed| keys.is_current(sealed)) {
            continue;
        }
        let context = id.to_string();
        let new = anew(tx, &keys, &secret, &context)?;
        let new_previous = previous.map(|sealed| anew(tx, &keys, &sealed, &context)).transpose()?;
        changed += Sql::new("UPDATE btx_webhook_endpoint SET secret = ")
            .bind(new)
            .push(", previous_secret = ")
            .bind(new_previous)
            .push(" WHERE id = ")
            .bind(id)
            .push(" AND secret = ")
            .bind(secret)
            .execute(tx)
            .await?;
    }
    Ok((last, changed))
}

async fn bins(tx: &mut Tx, after: &str) -> Result<(Option<String>, u64), StoreError> {
    let query = Sql::new("SELECT id, token FROM btx_inspector_bin WHERE id > ").bind(after);
    let found = query.push(" ORDER BY id LIMIT ").bind(BATCH).fetch_all(tx).await?;
    let (mut last, mut changed) = (None, 0);
    for row in found {
        let (id, token): (BinId, _) = (row.parse("id")?, row.bytes("token")?);
        last = Some(id.to_string());
        let keys = tx.keys().clone();
        if keys.is_current(&token) {
            continue;
        }
        // An address never changes: nobody else writes this column.
        let query = Sql::new("UPDATE btx_inspector_bin SET token = ").bind(anew(tx, &keys, &token, &id.to_string())?);
        changed += query.push(" WHERE id = ").bind(id).execute(tx).await?;
    }
    Ok((last, changed))
}

type KeyName = (String, String);

async fn answers(tx: &mut Tx, after: &KeyName) -> Result<(Option<KeyName>, u64), StoreError> {
    let query = Sql::new(
        "SELECT api_key_id, key, response_headers, response_body, request_body FROM btx_idempotency \
         WHERE response_body IS NOT NULL AND (api_key_id, key) > (",
    );
    let query = query.bind(&after.0).push(", ").bind(&after.1).push(") ORDER BY api_key_id, key LIMIT ").bind(BATCH);
    let found = query.fetch_all(tx).await?;
    let (mut last, mut changed) = (None, 0);
    for row in found {
        let (by, key): (ApiKeyId, String) = (row.parse("api_key_id")?, row.text("key")?);
        let (headers, body) = (row.bytes("response_headers")?, row.bytes("response_body")?);
        last = Some((by.to_string(), key.clone()));
        let keys = tx.keys().clone();
        if keys.is_current(&body) {
            continue;
        }
        let context = idempotency::context(by, &key);
        let (new_headers, new_body) = (anew(tx, &keys, &headers, &context)?, anew(tx, &keys, &body, &context)?);
        let asked = row.opt_bytes("request_body")?;
        let new_asked = asked.map(|sealed| anew(tx, &keys, &sealed, &context)).transpose()?;
        idempotency::reseal_conflict(tx, by, &key).await?;
        changed += Sql::new("UPDATE btx_idempotency SET response_headers = ")
            .bind(new_headers)
            .push(", response_body = ")
            .bind(new_body)
            .push(", request_body = ")
            .bind(new_asked)
            .push(" WHERE api_key_id = ")
            .bind(by)
            .push(" AND key = ")
            .bind(key)
            .push(" AND response_body = ")
            .bind(body)
            .execute(tx)
            .await?;
    }
    Ok((last, changed))
}

fn anew(tx: &Tx, keys: &Keyring, sealed: &[u8], context: &str) -> Result<Vec<u8>, StoreError> {
    let plain = keys.open(sealed, context).map_err(|error| StoreError::Inconsistent(format!("{context}: {error}")))?;
    Ok(keys.seal(&plain, context, tx.entropy()))
}
