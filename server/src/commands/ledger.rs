//! `botix ledger`: is anything lost?

use store::Store;
use store::ledger::{LedgerScope, ledger};

use crate::cli::LedgerArgs;
use crate::failure::Failure;
use crate::output;

/// Prints the ledger; an unbalanced one is a failure, so that a scheduled job notices.
pub(super) async fn run(store: &Store, args: &LedgerArgs) -> Result<(), Failure> {
    let scope = LedgerScope {
        project_id: args.project,
        endpoint_id: args.endpoint,
        created_after: args.created_after,
        created_before: args.created_before,
    };
    let found = ledger(&mut store.reader().await?, scope, store.now()).await?;
    output::json(&found)?;
    if found.balanced { Ok(()) } else { Err(Failure::Unbalanced) }
}
