//! `/docs/api`: a readable reference, drawn from the OpenAPI document and the descriptions it was made of.

mod parts;

use std::collections::BTreeMap;

use domain::Timestamp;
use serde_json::Value;

use super::html::Html;
use super::page::Page;
use super::reader::Reader;
use crate::list;
use crate::openapi::{Served, tag_about};
use crate::routes::Operation;
use parts::{curl, fields, pretty, schema_type};

/// The page.
pub(super) fn page(served: &Served, now: Timestamp, reader: &Reader) -> Page {
    let document = served.json(now);
    let mut html = Html::default();
    introduction(&mut html, document, reader);
    let mut contents = Vec::new();
    for (tag, operations) in by_tag(served.operations(), document) {
        let anchor = format!("tag-{}", tag.to_lowercase().replace(' ', "-"));
        let about = tag_about(&tag);
        let title = about.map_or_else(|| tag.clone(), |(name, _)| reader.say(name).to_owned());
        html.raw("<h2 id=\"").text(&anchor).raw("\">").text(&title).raw("</h2>");
        if let Some((_, purpose)) = about {
            html.element("p class=\"lead\"", reader.say(purpose));
        }
        contents.push((anchor, title));
        for (operation, object) in operations {
            one(&mut html, operation, object, document, reader);
        }
    }
    let objects = reader.pick("Objects", "Объекты");
    html.raw("<h2 id=\"objects\">").text(objects).raw("</h2>");
    contents.push(("objects".to_owned(), objects.to_owned()));
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        if !name.ends_with("Error") {
            html.raw("<section id=\"object-").text(name).raw("\"><h3>").text(name).raw("</h3>");
            fields(&mut html, name, schema, reader);
            html.raw("</section>");
        }
    }
    Page { title: reader.pick("API reference", "Справочник API"), contents, body: html.finish() }
}

fn introduction(html: &mut Html, document: &Value, reader: &Reader) {
    html.raw("<p class=\"lead\">").prose(reader.pick(
        "Version 1.1. Every answer is JSON: `{data, request_id}`, a page of a list `{data, next_cursor, has_more, request_id}`, or an error `{code, message, details, request_id}`. Send your key as `Authorization: Bearer btx_live_…`.",
        "Версия 1.1. Каждый ответ — JSON: `{data, request_id}`, страница списка `{data, next_cursor, has_more, request_id}` или ошибка `{code, message, details, request_id}`. Ключ передавайте как `Authorization: Bearer btx_live_…`.",
    ));
    html.raw("</p><p>").text(reader.pick("For generators of clients: ", "Для генераторов клиентов: "));
    let server = document["servers"][0]["url"].as_str().unwrap_or_default().trim_end_matches('/');
    html.link(&format!("{server}/public/v1/openapi.json"), "OpenAPI 3.1");
    html.raw(". ")
        .link("/docs/reliability", reader.pick("How to repeat and walk safely", "Как надёжно повторять и обходить"));
    html.raw(".</p>");
}

type Listed<'a> = Vec<(&'a Operation, &'a Value)>;

/// The operations in the order of the tags.
fn by_tag<'a>(operations: &'a [Operation], document: &'a Value) -> Vec<(String, Listed<'a>)> {
    let mut found: BTreeMap<String, Listed<'a>> = BTreeMap::new();
    for operation in operations {
        let path = format!("{}{}", crate::PREFIX, operation.path);
        let object = &document["paths"][path][operation.method.as_str().to_ascii_lowercase()];
        found.entry(object["tags"][0].as_str().unwrap_or_default().to_owned()).or_default().push((operation, object));
    }
    let order = document["tags"].as_array().into_iter().flatten().filter_map(|tag| tag["name"].as_str());
    order.filter_map(|tag| found.remove_entry(tag)).collect()
}

fn one(html: &mut Html, operation: &Operation, object: &Value, document: &Value, reader: &Reader) {
    let id = object["operationId"].as_str().unwrap_or_default();
    html.raw("<section class=\"operation\" id=\"").text(id).raw("\"><h3>");
    html.text(operation.description.title.map_or("", |title| reader.say(title)));
    html.raw("</h3><p class=\"route\"><span class=\"method\">").text(operation.method.as_str()).raw("</span> <code>");
    html.text(crate::PREFIX).text(operation.path).raw("</code></p>");
    if let Some(note) = operation.description.note {
        html.raw("<p>").prose(reader.say(note)).raw("</p>");
    }
    parameters(html, operation, object, reader);
    for (content_type, media) in object["requestBody"]["content"].as_object().into_iter().flatten() {
        html.raw("<h4>").text(reader.pick("Body", "Тело")).raw(" <code>").text(content_type).raw("</code></h4>");
        fields(html, "", &media["schema"], reader);
    }
    html.raw("<pre><code>").text(&curl(operation, object, document)).raw("</code></pre>");
    answers(html, object, reader);
    html.raw("</section>");
}

fn parameters(html: &mut Html, operation: &Operation, object: &Value, reader: &Reader) {
    let all = object["parameters"].as_array().into_iter().flatten().filter(|each| each["in"] != "path");
    let listed: Vec<&Value> = all.collect();
    if listed.is_empty() {
        return;
    }
    html.raw("<h4>").text(reader.pick("Parameters", "Параметры")).raw("</h4><div class=\"scroll\"><table><tbody>");
    for parameter in listed {
        let name = parameter["name"].as_str().unwrap_or_default();
        let own = operation.description.parameters.iter().find(|each| each.name == name).and_then(|each| each.about);
        let russian =
            own.or_else(|| list::about(name)).map(|about| about.ru).or_else(|| parts::russian_parameter(name));
        let english = parameter["description"].as_str().unwrap_or_default();
        let about = if reader.language == "ru" { russian.unwrap_or(english) } else { english };
        html.raw("<tr><th scope=\"row\"><code>").text(name).raw("</code>");
        parts::marks(html, parameter["required"] == true, parameter["deprecated"] == true, reader);
        html.raw("</th><td>")
            .raw(&schema_type(&parameter["schema"], reader))
            .raw("</td><td>")
            .text(about)
            .raw("</td></tr>");
    }
    html.raw("</tbody></table></div>");
}

fn answers(html: &mut Html, object: &Value, reader: &Reader) {
    html.raw("<h4>").text(reader.pick("Answers", "Ответы")).raw("</h4><ul class=\"answers\">");
    let responses = object["responses"].as_object();
    for (status, response) in responses.into_iter().flatten() {
        html.raw("<li><span class=\"num\">").text(status).raw("</span> ");
        let codes = response["description"].as_str().unwrap_or_default();
        if status.starts_with('2') {
            html.raw(&schema_type(&response["content"]["application/json"]["schema"]["properties"]["data"], reader));
        } else {
            for code in codes.split('`').skip(1).step_by(2) {
                html.link(&format!("/docs/error-codes#{code}"), code).raw(" ");
            }
        }
        html.raw("</li>");
    }
    html.raw("</ul>");
    let mut successes = responses.into_iter().flatten().filter(|(status, _)| status.starts_with('2'));
    if let Some(example) =
        successes.next().and_then(|(_, response)| response.pointer("/content/application~1json/example"))
    {
        html.raw("<details><summary>").text(reader.pick("An answer", "Пример ответа")).raw("</summary><pre><code>");
        html.text(&pretty(example)).raw("</code></pre></details>");
    }
}
