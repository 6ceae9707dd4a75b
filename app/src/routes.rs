//! Which address shows which page. Every page waits for its data before it is sent, so that it is
//! whole without JavaScript.

use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{ParentRoute, Route, Router, Routes};
use leptos_router::{SsrMode, path};

use crate::components::ProjectFrame;
use crate::pages::inspector::{
    BinPage, BinsPage, CapturePage, ComparePage, DeleteBinPage, EditBinPage, NewBinPage, RehearsePage, ReplayPage,
};
use crate::pages::{
    ApiKeysPage, AttemptPage, AttemptsPage, DeadLetterPage, DeadLettersPage, DeliveryPage, EndpointPage, EndpointsPage,
    EventPage, EventsPage, IdempotencyPage, JobPage, LostPage, NewEndpointPage, NewKeyPage, NoProjectPage,
    RequestsPage, RetryManyPage, RevokeKeyPage, RotatePage, SearchPage, SettingsPage, SignInPage, TracePage,
};

/// The whole of the dashboard.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=|title: String| if title.is_empty() { "BOTIX Developers".to_owned() } else { format!("{title} · BOTIX") }/>
        <Router>
            <Routes fallback=LostPage>
                <Route path=path!("/developers/sign-in") view=SignInPage ssr=SsrMode::Async/>
                <Route path=path!("/developers/no-project") view=NoProjectPage ssr=SsrMode::Async/>
                <ParentRoute path=path!("/developers/:project_id") view=ProjectFrame ssr=SsrMode::Async>
                    <ParentRoute path=path!("/webhooks") view=AttemptsPage ssr=SsrMode::Async>
                        <Route path=path!("/:attempt_id") view=AttemptPage ssr=SsrMode::Async/>
                        <Route path=path!("") view=|| () ssr=SsrMode::Async/>
                    </ParentRoute>
                    <ParentRoute path=path!("/dead-letters") view=DeadLettersPage ssr=SsrMode::Async>
                        <Route path=path!("/retry") view=RetryManyPage ssr=SsrMode::Async/>
                        <Route path=path!("/jobs/:job_id") view=JobPage ssr=SsrMode::Async/>
                        <Route path=path!("/:dead_letter_id") view=DeadLetterPage ssr=SsrMode::Async/>
                        <Route path=path!("") view=|| () ssr=SsrMode::Async/>
                    </ParentRoute>
                    <ParentRoute path=path!("/events") view=EventsPage ssr=SsrMode::Async>
                        <Route path=path!("/:event_id") view=EventPage ssr=SsrMode::Async/>
                        <Route path=path!("") view=|| () ssr=SsrMode::Async/>
                    </ParentRoute>
                    <ParentRoute path=path!("/endpoints") view=EndpointsPage ssr=SsrMode::Async>
                        <Route path=path!("/new") view=NewEndpointPage ssr=SsrMode::Async/>
                        <Route path=path!("/:endpoint_id/secret") view=RotatePage ssr=SsrMode::Async/>
                        <Route path=path!("/:endpoint_id") view=EndpointPage ssr=SsrMode::Async/>
                        <Route path=path!("") view=|| () ssr=SsrMode::Async/>
                    </ParentRoute>
                    <Route path=path!("/deliveries/:delivery_id") view=DeliveryPage ssr=SsrMode::Async/>
                    <Route path=path!("/idempotency") view=IdempotencyPage ssr=SsrMode::Async/>
                    <Route path=path!("/requests") view=RequestsPage ssr=SsrMode::Async/>
                    <Route path=path!("/requests/:request_id") view=TracePage ssr=SsrMode::Async/>
                    <ParentRoute path=path!("/inspector") view=BinsPage ssr=SsrMode::Async>
                        <Route path=path!("/new") view=NewBinPage ssr=SsrMode::Async/>
                        <Route path=path!("") view=|| () ssr=SsrMode::Async/>
                    </ParentRoute>
                    <ParentRoute path=path!("/inspector/:bin_id") view=BinPage ssr=SsrMode::Async>
                        <Route path=path!("/edit") view=EditBinPage ssr=SsrMode::Async/>
                        <Route path=path!("/delete") view=DeleteBinPage ssr=SsrMode::Async/>
                        <Route path=path!("/rehearse") view=RehearsePage ssr=SsrMode::Async/>
                        <Route path=path!("/:capture_id/compare") view=ComparePage ssr=SsrMode::Async/>
                        <Route path=path!("/:capture_id/replay") view=ReplayPage ssr=SsrMode::Async/>
                        <Route path=path!("/:capture_id") view=CapturePage ssr=SsrMode::Async/>
                        <Route path=path!("") view=|| () ssr=SsrMode::Async/>
                    </ParentRoute>
                    <ParentRoute path=path!("/api-keys") view=ApiKeysPage ssr=SsrMode::Async>
                        <Route path=path!("/new") view=NewKeyPage ssr=SsrMode::Async/>
                        <Route path=path!("/:key_id/revoke") view=RevokeKeyPage ssr=SsrMode::Async/>
                        <Route path=path!("") view=|| () ssr=SsrMode::Async/>
                    </ParentRoute>
                    <Route path=path!("/settings") view=SettingsPage ssr=SsrMode::Async/>
                    <Route path=path!("/search") view=SearchPage ssr=SsrMode::Async/>
                    <Route path=path!("/*rest") view=LostPage ssr=SsrMode::Async/>
                </ParentRoute>
            </Routes>
        </Router>
    }
}
