//! The signature check. It runs in the browser over the exact bytes, so that a pasted secret never
//! leaves it: there is no form, and the field has no name. Every sentence is here from the beginning;
//! the browser shows those that are true.

use leptos::prelude::*;

use crate::components::{Icon, icon};
use crate::i18n::{Locale, SIGNATURE_CAUSES};

/// The names of the headers, and what the browser reads them by.
const HEADERS: [&str; 5] =
    ["x-botix-signature", "x-botix-signature-previous", "webhook-id", "webhook-timestamp", "webhook-signature"];

/// The part of a capture that says whether its signatures are right.
pub(super) fn check(locale: Locale, headers: &[(String, String)], exact: Option<String>, file: &str) -> AnyView {
    let find = |name: &str| headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone());
    let [own, previous, id, timestamp, standard] = HEADERS.map(find);
    let families = [("own", "X-Botix-Signature", own.is_some()), ("standard", "webhook-signature", standard.is_some())];
    let families = families.map(|(word, name, there)| family(locale, word, name, there)).into_iter().collect_view();
    view! {
        <section class="signing" data-signing data-own=own data-previous=previous data-id=id data-timestamp=timestamp
            data-standard=standard data-exact=exact data-file=file.to_owned()>
            <h3>{locale.signature()}</h3>
            <div class="js-only">
                <div class="field">
                    <label for="secret">{locale.check_secret()}</label>
                    <input class="input" id="secret" type="text" data-secret autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="whsec_…"/>
                </div>
                <div class="field">
                    <label for="claimed">{locale.check_claimed()}</label>
                    <input class="input" id="claimed" type="text" data-claimed autocomplete="off" autocapitalize="off" spellcheck="false"/>
                </div>
                <div class="actions"><button class="button" type="button" data-check-signature>{locale.check_go()}</button></div>
                <p class="soft small-print">{locale.check_note()}</p>
                <div role="status">
                    <p class="fault" data-said="unable" hidden>{icon(Icon::Warning)}{locale.check_unable()}</p>
                    {families}
                </div>
            </div>
            <p class="soft no-js">
                {locale.check_without_script()}" "<code>"openssl dgst -sha256 -hmac \"$SECRET\" body.bin"</code>
            </p>
        </section>
    }
    .into_any()
}

fn family(locale: Locale, word: &'static str, name: &'static str, there: bool) -> AnyView {
    let causes = SIGNATURE_CAUSES.iter().map(|cause| {
        view! { <li data-cause=cause.word hidden>{cause.text(locale)}</li> }
    });
    let causes = causes.collect_view();
    view! {
        <div class="family" data-family=word hidden>
            <h4><code>{name}</code></h4>
            <p class="status delivered" data-said="right" hidden>{icon(Icon::Check)}<span>{locale.signature_right()}</span></p>
            <p class="status skipped" data-said="older" hidden>{icon(Icon::Skip)}<span>{locale.signature_older()}</span></p>
            <p class="status dead_lettered" data-said="wrong" hidden>{icon(Icon::Cross)}<span>{locale.signature_wrong()}</span></p>
            <p class="status dead_lettered" data-said="unknown" hidden>{icon(Icon::Cross)}<span>{locale.signature_unknown()}</span></p>
            {(!there).then(|| view! { <p class="soft" data-said="absent" hidden>{locale.signature_absent()}</p> })}
            <ul class="causes">{causes}</ul>
        </div>
    }
    .into_any()
}
