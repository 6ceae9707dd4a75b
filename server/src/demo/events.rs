//! What happens in the shop: the kinds of events, how often, and their data.

use domain::Timestamp;
use domain::id::{ContactId, ImportId, MessageId, RunId, ScenarioId};
use domain::model::{Contact, RawJson};
use serde_json::{Value, json};

use super::dice::Dice;

/// A kind of event and how many of it a working day has.
pub(crate) const KINDS: &[(&str, u64)] = &[
    ("contact.created", 14),
    ("contact.updated", 32),
    ("message.accepted", 42),
    ("payment.succeeded", 44),
    ("payment.failed", 5),
    ("payment.refunded", 2),
    ("subscription.created", 4),
    ("subscription.cancelled", 3),
    ("scenario.started", 10),
    ("catalog.import.completed", 1),
];

const FIRST: &[&str] = &[
    "Анна",
    "Мария",
    "Ольга",
    "Елена",
    "Дарья",
    "Иван",
    "Пётр",
    "Сергей",
    "Алексей",
    "Максим",
    "Emma",
    "Liam",
    "Noah",
    "Aigerim",
    "Тимур",
    "Sofia",
];
const LAST: &[&str] =
    &["Ким", "Ли", "Мороз", "Шевченко", "Петренко", "Гончар", "Коваль", "Smith", "Novak", "Berg", "Sato", "Silva"];
const TAGS: &[&str] = &["vip", "newsletter", "opt", "moscow", "b2b", "returning"];
const PRICES: &[u64] = &[490, 990, 1_290, 1_990, 2_490, 3_990, 7_900, 12_400];

/// A customer who came at `at`. The number makes the phone unique.
pub(crate) fn contact(at: Timestamp, number: u64, dice: &Dice) -> Result<Contact, serde_json::Error> {
    let name = format!("{} {}", dice.pick(FIRST), dice.pick(LAST));
    let mut tags: Vec<String> = Vec::new();
    if dice.happens(400) {
        tags.push((*dice.pick(TAGS)).to_owned());
    }
    Ok(Contact {
        id: ContactId::generate(at, dice),
        phone: format!("+7999{number:07}"),
        name,
        email: dice.happens(600).then(|| format!("customer{number}@example.com")),
        tags,
        attributes: RawJson::of(&json!({ "source": dice.pick(&["site", "telegram", "shop", "referral"]) }))?,
        created_at: at,
        updated_at: at,
    })
}

/// The data of an event that is not about a contact's own record.
pub(crate) fn data(kind: &str, contact: ContactId, at: Timestamp, dice: &Dice) -> Result<RawJson, serde_json::Error> {
    RawJson::of(&value(kind, contact, at, dice))
}

fn value(kind: &str, contact: ContactId, at: Timestamp, dice: &Dice) -> Value {
    let order = format!("ord_{}", dice.between(100_000, 999_999));
    match kind {
        "message.accepted" => json!({
            "id": MessageId::generate(at, dice), "contact_id": contact, "channel": dice.pick(&["telegram", "whatsapp", "sms"]),
            "text": dice.pick(&["Ваш заказ собран", "Your parcel is on its way", "Спасибо за покупку!", "Ждём вас в субботу"]),
        }),
        "payment.succeeded" => json!({
            "id": format!("pay_{}", dice.between(1_000_000, 9_999_999)), "contact_id": contact, "order_id": order,
            "amount": { "value": dice.pick(PRICES), "currency": "RUB" }, "method": dice.pick(&["card", "sbp", "invoice"]),
        }),
        "payment.failed" => json!({
            "id": format!("pay_{}", dice.between(1_000_000, 9_999_999)), "contact_id": contact, "order_id": order,
            "amount": { "value": dice.pick(PRICES), "currency": "RUB" }, "reason": dice.pick(&["insufficient_funds", "card_expired"]),
        }),
        "payment.refunded" => json!({
            "id": format!("pay_{}", dice.between(1_000_000, 9_999_999)), "contact_id": contact, "order_id": order,
            "amount": { "value": dice.pick(PRICES), "currency": "RUB" },
        }),
        "scenario.started" => json!({
            "id": RunId::generate(at, dice), "scenario_id": ScenarioId::generate(at, dice), "contact_id": contact,
        }),
        "catalog.import.completed" => json!({
            "id": ImportId::generate(at, dice), "rows": dice.between(800, 4_000), "failed": dice.between(0, 9),
        }),
        _ => json!({
            "id": format!("sub_{}", dice.between(10_000, 99_999)), "contact_id": contact,
            "plan": dice.pick(&["start", "business", "pro"]),
        }),
    }
}

/// How busy the shop is at `at`, of a hundred: quiet nights, busy days, half as much at weekends.
pub(crate) fn busyness(at: Timestamp) -> u64 {
    const BY_HOUR: [u64; 24] =
        [6, 4, 3, 3, 5, 10, 22, 48, 70, 86, 95, 100, 90, 94, 100, 96, 88, 78, 72, 66, 52, 38, 22, 12];
    let hour = usize::try_from(at.as_secs().div_euclid(3_600).rem_euclid(24)).unwrap_or(0);
    // Day 0 of the epoch was a Thursday.
    let weekday = (at.as_secs().div_euclid(86_400) + 3).rem_euclid(7);
    if weekday >= 5 { BY_HOUR[hour] * 55 / 100 } else { BY_HOUR[hour] }
}
