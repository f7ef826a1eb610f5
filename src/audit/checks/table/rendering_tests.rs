//! Edge cases of the checks of the page in which the behaviour of browsers or a standard decides.

use super::standards_tests::{found, hold};
use crate::domain::report::check::CheckOutcome::{Failed, NotApplicable, Note, Passed};

#[test]
fn only_a_width_and_a_height_give_an_image_its_place() {
    for (attributes, expected) in [
        ("style='max-width: 100%; height: auto'", Failed),
        ("style='max-width:100%;max-height:20em'", Failed),
        ("style='width: 100%; height: auto'", Failed),
        ("style='width: 100%; height: auto !important'", Failed),
        ("style='line-height: 1; width: 10px'", Failed),
        ("width=100% height=auto", Failed),
        ("width='' height=''", Failed),
        ("style='width: 10px; HEIGHT : 20px !important'", Passed),
        ("width=10 style='height: 20px'", Passed),
        ("style='width: 100%; height: auto' width=10 height=20", Passed),
        ("style='width: 100%; aspect-ratio: 3 / 2'", Passed),
        ("style='aspect-ratio: auto'", Failed),
    ] {
        hold(&[("image_dimensions", &format!("<img src=a.png {attributes}>"), expected)]);
    }
}

#[test]
fn hidden_media_are_heard() {
    hold(&[
        ("media_parts", "<audio src=a.mp3 autoplay loop hidden></audio>", Failed),
        ("media_parts", "<div style='display:none'><video src=a.mp4 autoplay></video></div>", Failed),
        ("media_parts", "<video src=a.mp4 autoplay muted hidden></video>", Passed),
        ("media_parts", "<audio src=a.mp3 hidden></audio><video src=a.mp4 hidden></video>", NotApplicable),
    ]);
}

#[test]
fn every_element_that_the_standard_calls_obsolete_is_found() {
    hold(&[
        ("deprecated_html_tags", "<object data=a.swf><param name=movie value=a.swf></object>", Failed),
        ("deprecated_html_tags", "<ruby>茶<rtc>tea</rtc></ruby>", Failed),
        ("deprecated_html_tags", "<ruby>茶<rp>(</rp><rt>cha</rt><rp>)</rp></ruby>", Passed),
    ]);
}

#[test]
fn the_text_of_a_shadow_root_is_part_of_the_page() {
    let shadow = |inner: &str| format!("<tea-card><template shadowrootmode=open>{inner}</template></tea-card>");
    hold(&[
        ("visible_content", &shadow("<p>Green tea"), Passed),
        ("headings", &shadow("<h1>Green tea</h1>"), Passed),
        ("content_keywords", &format!("<title>Green tea</title>{}", shadow("<p>Green tea")), Passed),
        ("names_labels", &format!("<a href=/tea>{}</a>", shadow("<b>Green tea</b>")), Passed),
        ("names_labels", "<a href=/tea><template><b>Green tea</b></template></a>", Failed),
        ("visible_content", "<template><p>Green tea</template>", Failed),
    ]);
}

#[test]
fn a_popover_is_hidden_until_it_is_opened() {
    let page = |part: &str| format!("<title>Green tea</title><h1>Menu</h1>{part}");
    hold(&[
        ("content_keywords", &page("<div popover><p>Green tea</div>"), Failed),
        ("content_keywords", &page("<div><p>Green tea</div>"), Passed),
        ("names_labels", &page("<div popover=manual><button></button></div>"), Passed),
        ("aria_hidden_focus", "<div aria-hidden=true><div popover><a href=/>Tea</a></div></div>", Passed),
    ]);
}

#[test]
fn the_target_of_a_skip_link_may_be_escaped() {
    let page = |href: &str| format!("<a href='{href}'>Skip to content</a><main id=übersicht>Tea</main>");
    hold(&[
        ("skip_link", &page("#%C3%BCbersicht"), Passed),
        ("skip_link", &page("#übersicht"), Passed),
        ("skip_link", &page("#TOP"), Passed),
        ("skip_link", &page("#ubersicht"), Failed),
    ]);
}

#[test]
fn an_icon_is_recognized_by_its_first_bytes() {
    let icon = |start: &str| format!("favicon 200 application/octet-stream {start}xx\n\n<p>");
    hold(&[
        ("favicon", &icon("\0\0\u{1}\0"), Passed),
        ("favicon", &icon("<html>"), Failed),
        ("favicon", "favicon 404 application/octet-stream \0\0\u{1}\0\n\n<p>", Failed),
    ]);
}

#[test]
fn sources_are_loaded_with_their_video() {
    let videos = |attributes: &str| {
        let video = |at: u32| format!("<video {attributes}><source src=/{at}.mp4></video>");
        (0..51).map(video).collect::<Vec<_>>().concat()
    };
    hold(&[("http_requests", &videos("preload=none"), Passed), ("http_requests", &videos(""), Failed)]);
    // Browsers load the first file that they can play.
    let formats = "<video><source src=/a.webm><source src=/b.mp4><source src=/c.ogv></video>";
    assert_eq!(found("http_requests", formats).value, serde_json::json!(1));
}

#[test]
fn an_image_that_only_counts_visitors_is_no_picture() {
    let pixel = "<img src=/count.gif width=1 height=1>";
    hold(&[
        ("image_format", pixel, NotApplicable),
        ("image_format", &format!("{pixel}<img src=/a.gif>"), Failed),
        ("lazy_images", &format!("{}{pixel}", "<img src=/a.png>".repeat(5)), Passed),
    ]);
}

#[test]
fn an_id_counts_within_its_shadow_root() {
    let field = "<tea-field><template shadowrootmode=open><label for=f>Tea</label><input id=f></template></tea-field>";
    let two = format!("<main>{field}{field}</main>");
    let outside =
        "<label for=f>Tea</label><tea-field><template shadowrootmode=open><input id=f></template></tea-field>";
    let reference = "<p aria-labelledby=f role=group><tea-field><template shadowrootmode=open><b id=f>x</b></template>";
    hold(&[
        ("names_labels", &two, Passed),
        ("structure_a11y", &two, Passed),
        ("names_labels", outside, Failed),
        ("aria_valid", reference, Failed),
        ("structure_a11y", "<main><label for=f>Tea</label><input id=f><input id=f></main>", Failed),
    ]);
}

#[test]
fn nothing_in_a_closed_dialog_of_a_script_has_the_focus() {
    let dialog = |attributes: &str| format!("<div {attributes}><h2 id=t>Cart</h2><button>Close</button></div>");
    hold(&[
        ("aria_hidden_focus", &dialog("role=dialog aria-hidden=true aria-labelledby=t"), Passed),
        ("aria_hidden_focus", &dialog("role=alertdialog aria-hidden=true"), Passed),
        ("aria_hidden_focus", &format!("<div aria-hidden=true>{}</div>", dialog("role=dialog")), Passed),
        // Bootstrap 5 sets the role when it opens the dialog.
        ("aria_hidden_focus", &dialog("class=modal tabindex=-1 aria-labelledby=t aria-hidden=true"), Passed),
        ("aria_hidden_focus", &dialog("tabindex=-1 aria-hidden=true"), Failed),
        ("aria_hidden_focus", &dialog("aria-labelledby=t aria-hidden=true"), Failed),
    ]);
}

#[test]
fn an_image_that_a_script_loads_later_is_lazy() {
    let images = |image: &str| format!("<img src=a.png>{}", image.repeat(6));
    hold(&[
        ("lazy_images", &images("<img data-src=/b.png>"), Passed),
        ("lazy_images", &images("<img src='data:image/gif;base64,R0lGOD' data-src=/b.png>"), Passed),
        ("lazy_images", &images("<img src='' data-src=/b.png>"), Passed),
        ("lazy_images", &images("<img src=b.png data-zoom=/b.png>"), Failed),
        ("lazy_images", &images("<img src='data:image/gif;base64,R0lGOD' srcset='b.png 2x'>"), Failed),
        ("lazy_images", "<img data-src=/a.png>", Passed),
    ]);
}

#[test]
fn a_short_form_that_the_server_has_rendered_is_no_shell() {
    let app = |content: &str| format!("<div id=__nuxt>{content}</div><script type=module src=/app.js></script>");
    let form = "<h1>Sign in</h1><form><label>Email <input type=email></label><button>Sign in</button></form>";
    hold(&[
        ("javascript_only_shell", &app(form), Passed),
        ("javascript_only_shell", &app("<p>Loading…"), Failed),
        ("javascript_only_shell", &app("<p>Loading…<input type=hidden><div hidden><input></div>"), Failed),
        ("headings", &app("<form><input></form>"), Failed),
        ("headings", &app("<p>Loading…"), NotApplicable),
    ]);
}

#[test]
fn an_image_that_its_server_converts_has_a_modern_format() {
    let image = |address: &str| format!("<img src='{address}'>");
    for address in [
        "/cdn/shop/files/tea.jpg?v=1&width=533",
        "https://cdn.shopify.com/s/files/1/tea_300x.jpg",
        "https://i0.wp.com/blog.example/tea.jpg?ssl=1",
        "https://images.squarespace-cdn.com/content/v1/tea.jpg?format=1500w",
        "https://images.example/tea.jpg?w=4&auto=compress%2Cformat",
        "https://images.example/tea.jpg?auto=webp",
        "https://images.example/tea.jpg?fm=webp&w=300",
        "https://images.example/tea.png?format=auto",
        "https://images.example/shop/image/upload/f_auto,q_auto/tea.jpg",
        "/cdn-cgi/image/width=80,format=auto/tea.jpg",
        "/_ipx/w_300&f_webp/tea.jpg",
        "https://images.example/tea.jpg/v1/fill/w_600,h_400,enc_avif,quality_auto/tea.jpg",
    ] {
        hold(&[("image_format", &image(address), Passed)]);
    }
    for address in [
        "/shop/tea.jpg?width=533",
        "https://images.example/tea.jpg?auto=compress",
        "https://images.example/tea.jpg?fm=jpg",
        "https://images.example/f_jpg/tea.jpg",
        "https://images.example/pdf_auto/tea.jpg",
    ] {
        hold(&[("image_format", &image(address), Failed)]);
    }
    // A URL of a srcset may contain commas.
    let set =
        |format: &str| format!("<img srcset='/upload/w_30,{format}/tea.jpg 300w, /upload/w_60,{format}/tea.jpg 600w'>");
    hold(&[("image_format", &set("f_auto"), Passed), ("image_format", &set("q_80"), Failed)]);
}

#[test]
fn scripts_that_wait_for_consent_are_not_requested() {
    let scripts = |kind: &str| {
        let script = |at: u32| format!("<script type='{kind}' src=/{at}.js></script>");
        (0..51).map(script).collect::<Vec<_>>().concat()
    };
    hold(&[("http_requests", &scripts("text/plain"), Passed), ("http_requests", &scripts(""), Failed)]);
}

#[test]
fn a_slot_shows_the_children_of_its_host() {
    let host = |shadow: &str, inside: &str| {
        format!("<tea-part><template shadowrootmode=open>{shadow}</template>{inside}</tea-part>")
    };
    let button = |inside: &str| host("<button><slot name=icon></slot> <slot></slot></button>", inside);
    let field = |label: &str| host(&format!("<label for=f>{label}</label><input id=f>"), "<b slot=label>Tea</b>");
    hold(&[
        ("names_labels", &button("Buy tea"), Passed),
        ("names_labels", &button("<b>Buy tea</b>"), Passed),
        ("names_labels", &button("<b slot=icon>Buy</b>"), Passed),
        ("names_labels", &button("<b slot=other>Buy</b>"), Failed),
        ("names_labels", &button(" <b hidden>Buy</b>"), Failed),
        ("names_labels", &host("<button><slot>Buy</slot></button>", ""), Passed),
        ("names_labels", "<button><slot></slot></button>", Failed),
        ("names_labels", &field("<slot name=label></slot>"), Passed),
        ("names_labels", &field("<slot name=other></slot>"), Failed),
        ("headings", &host("<h1><slot></slot></h1>", "Green tea"), Passed),
        ("heading_order", &host("<h1><slot></slot></h1>", "Green tea"), Passed),
    ]);
    let title = host("<h1><slot></slot></h1>", "Green <i>tea</i><b slot=x>x</b> from Kyoto");
    assert_eq!(found("headings", &title).value, serde_json::json!(["Green tea from Kyoto"]));
}

#[test]
fn a_part_that_react_streams_is_shown() {
    let page = |attributes: &str| {
        format!(
            "<title>Green tea</title><p>Loading…<div hidden {attributes}><h1>Green tea</h1><button></button></div>\
             <script>$RC('B:0', 'S:0')</script>"
        )
    };
    hold(&[
        ("headings", &page("id=S:0"), Note),
        ("headings", &page("id=S:1f"), Note),
        ("content_keywords", &page("id=S:0"), Passed),
        ("names_labels", &page("id=S:0"), Failed),
        ("headings", &page("id=S:x"), Failed),
        ("headings", &page("id=S"), Failed),
        ("headings", &page("id=S:0 style='display: none'"), Failed),
    ]);
}

#[test]
fn text_for_browsers_without_scripts_is_text() {
    let page = |noscript: &str| {
        format!(
            "<title>Green tea</title><div id=app></div><noscript>{noscript}</noscript><script src=/app.js></script>"
        )
    };
    let posts = "<h1>Green tea</h1><p>Which green tea from Kyoto do you drink? ".repeat(3);
    hold(&[
        ("javascript_only_shell", &page(&posts), Passed),
        ("javascript_only_shell", &page("You need to enable JavaScript to run this app."), Failed),
        ("javascript_only_shell", &page(&format!("<style>{}</style>", "p { color: red } ".repeat(20))), Failed),
        // Browsers with scripts show what the scripts write.
        ("headings", &page(&posts), NotApplicable),
    ]);
    let short = found("javascript_only_shell", &page("You need to enable JavaScript."));
    assert_eq!(short.errors, ["without its scripts the page has 5 words"]);
}

#[test]
fn an_image_of_amp_has_an_alternative_text() {
    hold(&[
        ("names_labels", "<a href=/tea><amp-img src=a.jpg alt=Tea></amp-img></a>", Passed),
        ("names_labels", "<a href=/tea><amp-img src=a.jpg></amp-img></a>", Failed),
        ("headings", "<h1><amp-img src=a.jpg alt=Tea></amp-img></h1>", Passed),
    ]);
}

#[test]
fn a_deep_page_does_not_have_too_many_elements_for_that() {
    let deep = format!("<p>{}", "<div>".repeat(900));
    hold(&[
        ("dom_size", &deep, Note),
        ("dom_depth", &deep, Failed),
        ("dom_size", &format!("{}{deep}", "<p>Tea".repeat(1501)), Failed),
    ]);
}

#[test]
fn an_image_below_a_long_text_may_be_lazy() {
    let page = |words: usize| format!("<p>{}<img src=a.png loading=lazy>", "tea ".repeat(words));
    hold(&[("lazy_images", &page(400), Passed), ("lazy_images", &page(50), Failed)]);
}

#[test]
fn an_image_that_the_page_needs_first_is_not_called_eager() {
    let images = "<img src=a.png>".repeat(5);
    hold(&[
        ("lazy_images", &format!("{images}<img src=b.png fetchpriority=high>"), Passed),
        ("lazy_images", &format!("{images}<img src=b.png fetchpriority=low>"), Failed),
    ]);
}

#[test]
fn images_that_move_nothing_need_no_dimensions() {
    hold(&[
        ("image_dimensions", "<img src=a.png style='position: absolute; top: 0'>", Passed),
        ("image_dimensions", "<img src=a.png style='position: relative'>", Failed),
        ("image_dimensions", "<img src=a.png style='display: none'><img src=b.png width=1 height=1>", Passed),
        ("image_dimensions", "<div hidden><img src=a.png></div>", NotApplicable),
        ("image_dimensions", "<img src='data:image/svg+xml,%3Csvg/%3E'>", Passed),
        ("image_dimensions", "<img src='data:image/svg+xml,%3Csvg/%3E' data-src=a.png>", Failed),
        ("image_dimensions", "<img src='data:image/png;base64,x'>", Failed),
    ]);
}

#[test]
fn the_head_may_have_many_elements() {
    let metas = "<meta name=tea content=green>".repeat(61);
    hold(&[
        ("dom_depth", &format!("<head>{metas}</head><p>Tea"), Passed),
        ("dom_depth", &format!("<body>{metas}<p>Tea"), Failed),
    ]);
}

#[test]
fn text_that_browsers_never_render_is_no_text_of_the_page() {
    for part in [
        "<noframes>tea@shop.example</noframes>",
        "<noembed>tea@shop.example</noembed>",
        "<datalist id=a><option>tea@shop.example</option></datalist>",
        "<ruby>茶<rp>tea@shop.example</rp></ruby>",
        "<video src=a.mp4>tea@shop.example</video>",
        "<audio src=a.mp3>tea@shop.example</audio>",
        "<canvas>tea@shop.example</canvas>",
        "<progress value=1>tea@shop.example</progress>",
        "<meter value=1>tea@shop.example</meter>",
    ] {
        hold(&[("plaintext_email", &format!("<p>Tea</p>{part}"), Passed)]);
    }
    hold(&[("plaintext_email", "<select><option>tea@shop.example</select>", Failed)]);
}

#[test]
fn the_first_image_is_the_first_that_is_shown() {
    let hidden = |image: &str| format!("<dialog><img src=/menu.png {image}></dialog><img src=/tea.png>");
    let menu = "<img src=/menu.png loading=lazy>".repeat(5);
    let eager = "<img src=/tea.png>";
    hold(&[
        ("lazy_images", &hidden("loading=lazy"), Passed),
        ("lazy_images", &hidden("loading=lazy").replace("tea.png", "tea.png loading=lazy"), Failed),
        ("lazy_images", "<img src=/count.gif width=1 height=1 loading=lazy><img src=/tea.png>", Passed),
        ("lazy_images", &format!("<nav hidden>{menu}</nav>{eager}"), Passed),
        ("lazy_images", &format!("<nav hidden>{menu}</nav>{}", eager.repeat(6)), Failed),
        ("lazy_images", &format!("{}<nav hidden>{eager}</nav>", eager.repeat(5)), Failed),
        ("lazy_images", &format!("<nav hidden>{}</nav>", eager.repeat(6)), Failed),
    ]);
}

#[test]
fn an_xml_page_that_is_not_well_formed_is_no_page_in_a_browser() {
    let page = |doctype: &str, body: &str| {
        format!(
            "header Content-Type: application/xhtml+xml\n\n{doctype}<html xmlns='http://www.w3.org/1999/xhtml'>\n<head>\
             <title>Tea</title></head><body><p>Green tea</p>{body}</body></html>"
        )
    };
    let strict =
        "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd'>";
    for (doctype, body, expected) in [
        ("<!DOCTYPE html>", "<br/><p>Tea &amp; cake &#8364; &lt;</p><![CDATA[ a < b && c ]]>", Passed),
        (strict, "<p>Tea&nbsp;&eacute;</p>", Passed),
        ("<!DOCTYPE html>", "<p>Tea&nbsp;house</p>", Failed),
        ("<!DOCTYPE html>", "<br>", Failed),
        ("<!DOCTYPE html>", "<p>Tea</div>", Failed),
        ("<!DOCTYPE html>", "<p>Tea & cake</p>", Failed),
        ("<!DOCTYPE html>", "<p class=a>Tea</p>", Failed),
        ("<!DOCTYPE html>", "<input disabled/>", Failed),
    ] {
        hold(&[("visible_content", &page(doctype, body), expected)]);
    }
    let error = &found("visible_content", &page("", "<br>")).errors[0];
    assert!(error.starts_with("line 2 is not well-formed XML, so browsers show an error: "), "{error}");
    hold(&[("visible_content", "<html><p>Tea & cake<br>", Passed)]);
}
