//! `/catalog`: imports bring rows, items are what came of them.

mod imports;
mod items;

use crate::routes::Routes;

pub(crate) use imports::Uploaded;

pub(super) fn routes() -> Routes {
    imports::routes().merge(items::routes())
}
