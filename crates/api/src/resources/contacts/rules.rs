//! What the fields of a contact may be.

use crate::body::Fields;

pub(super) const NAME: usize = 200;
pub(super) const EMAIL: usize = 254;
pub(super) const TAGS: usize = 50;
pub(super) const TAG: usize = 64;

/// E.164: a plus, a country code that does not begin with 0, 15 digits at most.
pub(super) fn phone(text: String) -> Result<String, &'static str> {
    let Some(digits) = text.strip_prefix('+') else { return Err("must start with +") };
    let fine =
        (7..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    if fine { Ok(text) } else { Err("must be + and 7 to 15 digits (E.164)") }
}

pub(super) fn name(text: String) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("must not be empty".to_owned());
    }
    if text.chars().count() > NAME {
        return Err(format!("must be at most {NAME} characters"));
    }
    Ok(text)
}

/// Something that can be an address; only a message that arrives proves more.
pub(super) fn email(text: String) -> Result<String, &'static str> {
    let fine = text.len() <= EMAIL
        && !text.chars().any(|c| c.is_whitespace() || c.is_control())
        && text.rsplit_once('@').is_some_and(|(local, host)| {
            !local.is_empty() && !local.contains('@') && host.split('.').all(|label| !label.is_empty())
        });
    if fine { Ok(text) } else { Err("must be an e-mail address such as anna@example.com") }
}

/// Up to 50 labels; `None` when absent or refused.
pub(super) fn tags(fields: &mut Fields) -> Option<Vec<String>> {
    let tags: Vec<String> = fields.take("tags", "must be a list of texts")?;
    if tags.len() > TAGS {
        fields.refuse("tags", format_args!("must be at most {TAGS}"));
        return None;
    }
    let is_fine = |tag: &String| !tag.trim().is_empty() && tag.chars().count() <= TAG && !tag.contains('\0');
    if !tags.iter().all(is_fine) {
        fields.refuse("tags", format_args!("must each be 1 to {TAG} characters, without NUL"));
        return None;
    }
    Some(tags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phones_are_e164() {
        for good in ["+79161234567", "+14155552671", "+1234567", "+123456789012345"] {
            assert!(phone(good.to_owned()).is_ok(), "{good}");
        }
        assert_eq!(phone("79161234567".to_owned()), Err("must start with +"));
        for bad in ["+", "+0123456789", "+1234567890123456", "+7916123456a", "+7 916 123", "+٧٩١٦١٢٣٤"] {
            assert!(phone(bad.to_owned()).is_err_and(|why| why.contains("E.164")), "{bad}");
        }
    }

    #[test]
    fn emails_look_like_emails() {
        for good in ["anna@example.com", "a+b@x.y", "анна@почта.рф", "root@localhost"] {
            assert!(email(good.to_owned()).is_ok(), "{good}");
        }
        for bad in ["", "anna", "@example.com", "anna@", "a b@example.com", "a@b@c.d", "a@b..c", "a@.c"] {
            assert!(email(bad.to_owned()).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_not_blank() {
        assert!(name(" ".to_owned()).is_err() && name("x".repeat(201)).is_err());
        assert!(name("я".repeat(200)).is_ok());
    }
}
