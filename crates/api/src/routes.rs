//! Paths and what answers on them, kept beside their descriptions: whoever adds a route adds it to
//! the OpenAPI document, too.

use axum::Router;
use axum::http::Method;
use axum::routing::{self, MethodRouter};

use crate::body::Wanted;
use crate::describe::Description;
use crate::operation::{self, Mutation, Query};
use crate::state::ApiState;

/// One method on one path.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) method: Method,
    /// Below the API's prefix, e.g. `/contacts/{id}`.
    pub(crate) path: &'static str,
    pub(crate) description: Description,
    /// Whether it refuses an empty body.
    pub(crate) takes_a_body: bool,
}

impl Operation {
    /// Whether it changes something, and so takes an idempotency key.
    pub(crate) fn changes(&self) -> bool {
        !self.method.is_safe()
    }
}

/// A resource's routes. Paths are below [`crate::PREFIX`]:
///
/// ```ignore
/// Routes::new().get::<List<Contacts>>("/contacts").post::<Create>("/contacts")
/// ```
#[derive(Default)]
pub(crate) struct Routes {
    router: Router<ApiState>,
    operations: Vec<Operation>,
}

impl Routes {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A query.
    pub(crate) fn get<Q: Query>(self, path: &'static str) -> Self {
        self.add(Method::GET, path, routing::get(operation::read::<Q>), Q::describe(), Wanted::Nothing)
    }

    /// A mutation that needs an idempotency key.
    pub(crate) fn post<M: Mutation>(self, path: &'static str) -> Self {
        self.add(Method::POST, path, routing::post(operation::write::<M>), M::describe(), M::BODY)
    }

    /// A mutation that needs an idempotency key, behind a handler that receives its body in its own way.
    pub(crate) fn upload<M: Mutation>(self, path: &'static str, handler: MethodRouter<ApiState>) -> Self {
        self.add(Method::POST, path, handler, M::describe(), M::BODY)
    }

    /// A mutation that repeats safely by itself.
    pub(crate) fn patch<M: Mutation>(self, path: &'static str) -> Self {
        self.add(Method::PATCH, path, routing::patch(operation::write::<M>), M::describe(), M::BODY)
    }

    /// A mutation that repeats safely by itself.
    pub(crate) fn delete<M: Mutation>(self, path: &'static str) -> Self {
        self.add(Method::DELETE, path, routing::delete(operation::write::<M>), M::describe(), M::BODY)
    }

    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.router = self.router.merge(other.router);
        self.operations.extend(other.operations);
        self
    }

    /// What axum serves, and what the document lists.
    pub(crate) fn into_parts(self) -> (Router<ApiState>, Vec<Operation>) {
        (self.router, self.operations)
    }

    fn add(
        mut self,
        method: Method,
        path: &'static str,
        handler: MethodRouter<ApiState>,
        description: Description,
        body: Wanted,
    ) -> Self {
        let takes_a_body = body != Wanted::Nothing;
        self.router = self.router.route(&format!("{}{path}", crate::PREFIX), handler);
        self.operations.push(Operation { method, path, description, takes_a_body });
        self
    }
}
