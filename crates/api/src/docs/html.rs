//! Writing HTML: a string that escapes what it is given.

use std::fmt::Write as _;

/// HTML under construction. What is not a literal of this crate goes through [`Html::text`].
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Markup, as it is.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text, which never becomes markup.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                other => self.0.push(other),
            }
        }
        self
    }

    /// `<tag>text</tag>`
    pub(super) fn element(&mut self, tag: &str, text: &str) -> &mut Self {
        self.raw("<").raw(tag).raw(">").text(text);
        let name = tag.split(' ').next().unwrap_or_default();
        let _ = write!(self.0, "</{name}>");
        self
    }

    /// Text in which `` `code` `` is code.
    pub(super) fn prose(&mut self, text: &str) -> &mut Self {
        for (at, part) in text.split('`').enumerate() {
            if at % 2 == 0 {
                self.text(part)
            } else {
                self.element("code", part)
            };
        }
        self
    }

    /// A link to a place of ours.
    pub(super) fn link(&mut self, href: &str, text: &str) -> &mut Self {
        self.raw("<a href=\"").text(href).raw("\">").text(text).raw("</a>")
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Html;

    #[test]
    fn text_never_becomes_markup() {
        let mut html = Html::default();
        html.element("p class=\"a\"", "<b>&\"'</b>").prose("say `<i>`");
        assert_eq!(html.finish(), "<p class=\"a\">&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;</p>say <code>&lt;i&gt;</code>");
    }
}
