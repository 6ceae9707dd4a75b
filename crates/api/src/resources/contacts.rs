//! `/contacts`.

mod rules;
mod schema;

use axum::http::StatusCode;
use domain::ErrorCode;
use domain::filter::TimeRange;
use domain::id::ContactId;
use domain::model::{Contact, RawJson};
use domain::page::{Page, PageRequest};
use store::contacts::{self, ContactChange, ContactError, NewContact, Updated};
use store::{Conn, StoreError, Tx};

use super::{One, Resource, announce};
use crate::body::Wanted;
use crate::describe::{Description, Words, words};
use crate::envelope::Answer;
use crate::error::ApiError;
use crate::list::{Collection, List};
use crate::operation::{Call, Mutation};
use crate::routes::Routes;

const TYPE: &str = "contact";

pub(super) fn routes() -> Routes {
    Routes::new()
        .get::<List<Contacts>>("/contacts")
        .post::<Create>("/contacts")
        .get::<One<Contacts>>("/contacts/{id}")
        .patch::<Update>("/contacts/{id}")
        .delete::<Delete>("/contacts/{id}")
}

struct Contacts;

impl Collection for Contacts {
    const LIST: &'static str = "contacts";
    const TITLE: Option<Words> = Some(words("List contacts", "Список контактов"));
    type Filter = TimeRange;
    type Row = Contact;

    async fn fetch(
        conn: &mut Conn,
        call: &Call,
        filter: &TimeRange,
        page: PageRequest,
    ) -> Result<Page<Contact>, StoreError> {
        contacts::list(conn, call.project(), filter, page).await
    }
}

impl Resource for Contacts {
    const TYPE: &'static str = TYPE;
    const TITLE: Option<Words> = Some(words("Get one contact", "Один контакт"));
    type Id = ContactId;
    type Object = Contact;

    async fn find(conn: &mut Conn, call: &Call, id: ContactId) -> Result<Option<Contact>, StoreError> {
        contacts::get(conn, call.project(), id).await
    }
}

struct Create(NewContact);

impl Mutation for Create {
    fn describe() -> Description {
        Description::of(words("Create a contact", "Создать контакт"))
            .note(words("Emits contact.created.", "Порождает contact.created."))
            .json(&["phone", "name"], schema::properties(), schema::example())
            .answers::<Contact>(StatusCode::CREATED)
            .or(ErrorCode::ResourceConflict)
            .or(ErrorCode::ContactLimitExceeded)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let mut fields = call.fields()?;
        let phone = fields.checked("phone", rules::phone);
        let name = fields.checked("name", rules::name);
        let (phone, name) = (fields.require("phone", phone), fields.require("name", name));
        let email = fields.checked("email", rules::email);
        let tags = rules::tags(&mut fields).unwrap_or_default();
        let attributes = match fields.object("attributes") {
            Some(attributes) => attributes,
            None => RawJson::of(&serde_json::Map::new()).map_err(ApiError::internal)?,
        };
        let new = phone.zip(name).map(|(phone, name)| NewContact { phone, name, email, tags, attributes });
        fields.finish(new).map(Self)
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let contact = contacts::insert(tx, call.project(), self.0).await?;
        announce(tx, call, "contact.created", &contact).await?;
        Answer::created(&contact, &format!("contacts/{}", contact.id))
    }
}

struct Update(ContactId, ContactChange);

impl Mutation for Update {
    fn describe() -> Description {
        Description::of(words("Change a contact", "Изменить контакт"))
            .note(words(
                "Fields that are absent stay as they are. Emits contact.updated if anything changes.",
                "Чего нет в теле, то не меняется. Порождает contact.updated, если что-то изменилось.",
            ))
            .json(&[], schema::properties(), serde_json::json!({"name": "Anna Ivanova"}))
            .answers::<Contact>(StatusCode::OK)
            .or(ErrorCode::ResourceConflict)
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        let mut fields = call.fields()?;
        let required = ["phone", "name"].map(|name| (name, fields.has(name)));
        let no_email = fields.has("email");
        let phone = fields.checked("phone", rules::phone);
        let name = fields.checked("name", rules::name);
        let email = fields.checked("email", rules::email);
        for ((field, given), value) in required.into_iter().zip([&phone, &name]) {
            if given {
                fields.require(field, value.as_ref());
            }
        }
        let change = ContactChange {
            phone,
            name,
            email: no_email.then_some(email),
            tags: rules::tags(&mut fields),
            attributes: fields.object("attributes"),
        };
        fields.finish(Some(change)).map(|change| Self(id, change))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let updated = contacts::update(tx, call.project(), self.0, self.1).await?;
        let Updated { contact, is_changed } = updated.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?;
        if is_changed {
            announce(tx, call, "contact.updated", &contact).await?;
        }
        Answer::ok(&contact)
    }
}

struct Delete(ContactId);

impl Mutation for Delete {
    const BODY: Wanted = Wanted::Nothing;

    fn describe() -> Description {
        Description::of(words("Delete a contact", "Удалить контакт"))
            .note(words("Emits contact.deleted.", "Порождает contact.deleted."))
            .answers_nothing()
    }

    fn parse(call: &Call) -> Result<Self, ApiError> {
        let id = call.id(TYPE)?;
        call.fields()?.finish(Some(Self(id)))
    }

    async fn run(self, tx: &mut Tx, call: &Call) -> Result<Answer, ApiError> {
        let contact = contacts::delete(tx, call.project(), self.0).await?;
        let contact = contact.ok_or_else(|| ApiError::not_found(TYPE, &self.0))?;
        announce(tx, call, "contact.deleted", &contact).await?;
        Ok(Answer::no_content())
    }
}

impl From<ContactError> for ApiError {
    fn from(error: ContactError) -> Self {
        match error {
            ContactError::PhoneTaken(other) => {
                Self::Conflict { resource_type: TYPE, field: "phone", existing_id: Some(other.to_string()) }
            }
            ContactError::LimitReached { limit, current } => Self::ContactLimit { limit, current },
            ContactError::Store(error) => error.into(),
        }
    }
}
