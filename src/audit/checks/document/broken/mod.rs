//! Checks for pages that are broken for every visitor, although the server responds with status 200.

mod error_phrases;
mod error_text;
mod program_messages;
pub(in crate::audit) mod script_shell;
mod visible_content;

use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "visible_content",
        importance: Importance::High,
        title: "Visible content",
        rule: Rule::Html(visible_content::visible_content),
        passes_when: "Text, an image, a video, a drawing, a frame or a form is visible, no unclosed tag swallows the page, and an XML page is well-formed.",
        remedy: "Send a page with text or images, and close every title, script, style and comment, in an XML page every element.",
        why: "Visitors see a blank page.",
        source: "HTML standard: elements that are rendered; parsing of raw text and comments",
    },
    CheckEntry {
        id: "error_text",
        importance: Importance::High,
        title: "Error texts",
        rule: Rule::Response(error_text::error_text),
        passes_when: "Title, headings and text are not those of an error page or of a server's default page.",
        remedy: "Fix what the message names, and respond to errors with a status from 400 to 599.",
        why: "Visitors see the message of a program or a server instead of the page.",
        source: "RFC 9110, section 15; Google Search Central: soft 404 errors",
    },
    CheckEntry {
        id: "program_messages",
        importance: Importance::High,
        title: "Program messages in the page",
        rule: Rule::Html(program_messages::program_messages),
        passes_when: "No PHP warning, no source code that was not run, no placeholder as title or h1.",
        remedy: "Fix the program, fill in its placeholders, and let it write its messages to a log.",
        why: "Visitors see messages meant for programmers, and attackers learn file names.",
        source: "OWASP: improper error handling",
    },
    CheckEntry {
        id: "javascript_only_shell",
        importance: Importance::Medium,
        title: "Text without scripts",
        rule: Rule::Html(script_shell::javascript_only_shell),
        passes_when: "At least 20 words or a form without scripts, if a script fills a root element.",
        remedy: "Render the text of the page on the server, or when the site is built.",
        why: "Visitors wait in front of a blank page, and link previews and many robots see nothing.",
        source: "Google Search Central: JavaScript SEO basics; web.dev: rendering on the web",
    },
];
