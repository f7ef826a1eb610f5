//! Checks of how the HTML affects loading.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::json;
use url::Url;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::scripts::{is_classic, is_program};
use crate::audit::checks::document::source_position::source_position;
use crate::audit::checks::entry::{CheckEntry, Rule};
use crate::audit::headers::content_type::ContentType;
use crate::audit::page::AuditedPage;
use crate::audit::page::element::Element;
use crate::audit::page::srcset::candidates_of;
use crate::audit::page::tree::PageTree;
use crate::audit::text::keywords::count_words;
use crate::domain::report::check::Importance;

pub(in crate::audit) const ENTRIES: &[CheckEntry] = &[
    CheckEntry {
        id: "http_requests",
        importance: Importance::Medium,
        title: "Number of requests",
        rule: Rule::Html(http_requests),
        passes_when: "At most 50 scripts, styles, images, frames and media that are not loaded lazily.",
        remedy: "Load at most 50 scripts, styles, images and frames; combine or remove some, load others lazily.",
        why: "Each file costs time: on a phone the page appears late.",
        source: "Web Almanac: requests per page",
    },
    CheckEntry {
        id: "image_format",
        importance: Importance::Medium,
        title: "Formats of images",
        rule: Rule::Html(image_format),
        passes_when: "Every image is offered as AVIF, WebP or SVG, judging by its address.",
        remedy: "Offer images as AVIF, WebP or SVG.",
        why: "Larger images than needed make the page slow and use up mobile data.",
        source: "Lighthouse: modern-image-formats",
    },
    CheckEntry {
        id: "render_blocking",
        importance: Importance::Medium,
        title: "Blocking scripts and styles",
        rule: Rule::Tree(render_blocking),
        passes_when: "No blocking script in the head, and at most 3 blocking stylesheets.",
        remedy: "Load scripts of the head with defer or async, except those that an inline script needs at once, and at most 3 stylesheets.",
        why: "Visitors look at an empty page until these files are loaded.",
        source: "Lighthouse: render-blocking-resources",
    },
    CheckEntry {
        id: "defer_javascript",
        importance: Importance::Low,
        title: "Deferred scripts",
        rule: Rule::Tree(defer_javascript),
        passes_when: "Every script with src has defer, async or type=module.",
        remedy: "Give every script with src one of defer, async or type=module, and let inline scripts that use it wait for DOMContentLoaded.",
        why: "The page appears later, because the browser waits for scripts first.",
        source: "HTML standard: script",
    },
    CheckEntry {
        id: "dom_size",
        importance: Importance::Low,
        title: "Number of elements",
        rule: Rule::Tree(dom_size),
        passes_when: "At most 1,500 elements; from 800, a note.",
        remedy: "Build the page from at most 1,500 elements.",
        why: "Slow phones take long to display and scroll such a page.",
        source: "Lighthouse: dom-size",
    },
    CheckEntry {
        id: "image_dimensions",
        importance: Importance::Low,
        title: "Dimensions of images",
        rule: Rule::Tree(image_dimensions),
        passes_when: "Every image has width and height, or an aspect ratio.",
        remedy: "Write width and height on every image, so that the page does not jump.",
        why: "The page jumps while it loads, and visitors click on the wrong thing.",
        source: "Lighthouse: unsized-images",
    },
    CheckEntry {
        id: "lazy_images",
        importance: Importance::Low,
        title: "Lazy images",
        rule: Rule::Tree(lazy_images),
        passes_when: "Images after the fifth are lazy, and the first is not.",
        remedy: "Load images after the fifth lazily, and the first immediately.",
        why: "Images further down delay those that visitors see first.",
        source: "web.dev: browser-level image lazy loading",
    },
    CheckEntry {
        id: "dom_depth",
        importance: Importance::Low,
        title: "Depth of the page",
        rule: Rule::Tree(dom_depth),
        passes_when: "At most 32 levels, and at most 60 elements in one.",
        remedy: "Nest at most 32 elements, and put at most 60 into one.",
        why: "Slow phones take longer to display such a page.",
        source: "Lighthouse: dom-size",
    },
];

const MOST_REQUESTS: usize = 50;
const MOST_STYLESHEETS: usize = 3;
const MOST_ELEMENTS: usize = 1_500;
const MANY_ELEMENTS: usize = 800;
const DEEPEST: usize = 32;
const MOST_CHILDREN: usize = 60;
/// The most sources of one picture that are examined; real pictures have three or four.
const MOST_SOURCES: usize = 8;
/// The most candidates of one srcset that are examined; real ones have about a dozen.
const MOST_CANDIDATES: usize = 16;
/// The number of words from which an image after them is certainly below the fold.
const WORDS_ABOVE_THE_FOLD: usize = 300;
/// The number of images that may be above the fold.
const ABOVE_THE_FOLD: usize = 5;
const MODERN: [&str; 3] = ["avif", "webp", "svg"];
/// Hosts that send every image in a modern format to browsers that accept it: Shopify (also under `/cdn/shop/` of a shop),
/// WordPress.com and Jetpack, Squarespace.
const CONVERTING_HOSTS: [&str; 6] =
    ["cdn.shopify.com", "i0.wp.com", "i1.wp.com", "i2.wp.com", "i3.wp.com", "images.squarespace-cdn.com"];
/// The most parts of a path that are compared with options; real URLs have a few, before the file.
const MOST_OPTIONS: usize = 50;
const OLD: [&str; 8] = ["png", "jpg", "jpeg", "jpe", "gif", "bmp", "tif", "tiff"];

fn is_lazy(element: &Element) -> bool {
    element.keyword("loading") == "lazy" || element.keyword("preload") == "none"
}

fn http_requests(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let base = page.base();
    let parts = ["img", "iframe", "video", "audio", "embed"].into_iter().flat_map(|name| tree.named(name));
    // Of several sources browsers load the first that they can play, and only with its video or audio.
    let mut around = HashSet::new();
    let sources =
        tree.named("source").filter(|source| source.attribute("src").is_some() && around.insert(source.parent));
    let sources = sources.filter(|source| !tree.ancestors(source).next().is_some_and(is_lazy));
    let scripts = tree.named("script").filter(|script| is_program(script));
    let sourced = parts.filter(|part| !is_lazy(part)).chain(sources).chain(scripts);
    let sourced = sourced.filter_map(|element| element.attribute("src"));
    let styles = tree.named("link").filter(|link| link.names("rel", "stylesheet"));
    let addresses = sourced.chain(styles.filter_map(|link| link.attribute("href")));
    let distinct: BTreeSet<Url> =
        addresses.filter_map(|address| base.join(address.trim()).ok()).filter(|url| url.scheme() != "data").collect();
    let count = distinct.len();
    CheckResult::when(count <= MOST_REQUESTS, json!(count), || {
        format!("the page loads {count} other files immediately, at most {MOST_REQUESTS} recommended")
    })
}

/// Returns the format that the URL of an image names: its file extension in lower case, or `webp` if the server chooses a
/// modern format by the Accept header or is asked for one.
fn format_of(base: &Url, address: &str) -> Option<String> {
    let url = base.join(address.trim()).ok().filter(|url| url.scheme() != "data")?;
    if is_converted(&url) {
        return Some("webp".to_owned());
    }
    let file = url.path().rsplit('/').next()?;
    file.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase())
}

/// Whether a server converts the image to a modern format, whatever the file extension. The options are those of imgix,
/// Fastly, Sanity and Contentful in the query, and of Cloudinary, Cloudflare, Wix and Nuxt in the path.
fn is_converted(url: &Url) -> bool {
    let is_modern = |value: &str| matches!(value, "auto" | "avif" | "webp");
    let by_query = url.query_pairs().any(|(name, value)| match &*name {
        "auto" => value.split(',').any(|method| method == "format" || is_modern(method)),
        "format" | "fm" => is_modern(&value),
        _ => false,
    });
    let mut options = url.path().split(['/', ',', '&']).take(MOST_OPTIONS);
    let by_path = options.any(|option| {
        let values = ["f_", "format=", "enc_"].iter().filter_map(|name| option.strip_prefix(name));
        values.into_iter().any(is_modern)
    });
    let host = url.host_str().unwrap_or_default();
    by_query || by_path || CONVERTING_HOSTS.contains(&host) || url.path().starts_with("/cdn/shop/")
}

/// Whether a text is nothing but the name of an image file.
pub(super) fn is_image_file(text: &str) -> bool {
    let ending = text.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    !text.contains(char::is_whitespace) && MODERN.iter().chain(&OLD).any(|known| *known == ending)
}

/// Returns the formats of all files that an image or source names.
fn formats(base: &Url, source: &Element) -> Vec<String> {
    let set = candidates_of(source.attribute("srcset").unwrap_or_default());
    let addresses = set.into_iter().take(MOST_CANDIDATES).chain(source.attribute("src"));
    addresses.filter_map(|address| format_of(base, address)).collect()
}

/// Whether an image or source names a modern format.
fn is_modern(base: &Url, source: &Element) -> bool {
    let kind = ContentType::essence_of(source.attribute("type").unwrap_or_default());
    let by_type = matches!(kind.as_str(), "image/avif" | "image/webp" | "image/svg+xml");
    by_type || formats(base, source).iter().any(|format| MODERN.contains(&format.as_str()))
}

fn image_format(page: &AuditedPage, tree: &PageTree) -> CheckResult {
    let base = page.base();
    let (mut judged, mut errors) = (0, Vec::new());
    // Whether each picture offers one: of a picture with thousands of images, the sources are read once.
    let mut pictures: HashMap<usize, bool> = HashMap::new();
    for image in tree.named("img").filter(|image| !image.is_pixel()) {
        let picture = tree.ancestors(image).find(|around| &*around.name == "picture");
        let is_offered = picture.is_some_and(|picture| {
            let read = || tree.inside(picture).iter().take(MOST_SOURCES).any(|source| is_modern(&base, source));
            *pictures.entry(picture.index()).or_insert_with(read)
        });
        if is_offered || is_modern(&base, image) {
            judged += 1;
        } else if let Some(old) = formats(&base, image).iter().rfind(|format| OLD.contains(&format.as_str())) {
            judged += 1;
            errors.push(format!("only as {old}: {}", source_position(tree, image)));
        }
    }
    // Images are not downloaded, so one whose URL has no extension is skipped.
    CheckResult::of_parts(judged, errors)
}

/// Whether a script blocks the parser. Browsers that support modules skip `nomodule`, and no browser runs scripts of
/// other types.
fn is_script_that_blocks(script: &Element) -> bool {
    let not_now = ["defer", "async", "nomodule"].iter().any(|name| script.attribute(name).is_some());
    script.attribute("src").is_some() && !not_now && is_classic(script)
}

/// Whether a stylesheet blocks rendering on screens.
fn is_style_that_blocks(link: &Element) -> bool {
    let is_in_force =
        link.names("rel", "stylesheet") && !link.names("rel", "alternate") && link.attribute("disabled").is_none();
    is_in_force && matches!(link.keyword("media").as_str(), "" | "all" | "screen")
}

fn render_blocking(tree: &PageTree) -> CheckResult {
    let Some(head) = tree.named("head").next() else { return CheckResult::not_applicable() };
    let inside = tree.inside(head);
    let scripts = inside.iter().filter(|element| &*element.name == "script" && is_script_that_blocks(element));
    let mut errors: Vec<String> =
        scripts.map(|script| format!("blocks: {}", script.attribute("src").unwrap_or_default())).collect();
    let blocking = errors.len();
    let styles = inside.iter().filter(|link| &*link.name == "link" && is_style_that_blocks(link)).count();
    if styles > MOST_STYLESHEETS {
        errors.push(format!("{styles} stylesheets block, at most {MOST_STYLESHEETS} recommended"));
    }
    CheckResult::from_errors(json!({ "scripts": blocking, "stylesheets": styles }), errors)
}

fn defer_javascript(tree: &PageTree) -> CheckResult {
    let sourced = tree.named("script").filter(|script| script.attribute("src").is_some()).count();
    let blocking = tree.named("script").filter(|script| is_script_that_blocks(script));
    let errors = blocking.map(|script| format!("not deferred: {}", script.attribute("src").unwrap_or_default()));
    CheckResult::of_parts(sourced, errors.collect())
}

fn dom_size(tree: &PageTree) -> CheckResult {
    let count = tree.elements.len();
    let at_least = if tree.cut { "at least " } else { "" };
    let has = format!("the page has {at_least}{count} elements");
    match (count > MOST_ELEMENTS, tree.cut, count > MANY_ELEMENTS) {
        (true, ..) => CheckResult::failed(count, format!("{has}, at most {MOST_ELEMENTS} recommended")),
        (_, true, _) => CheckResult::note(count, format!("{has}; the others are nested too deeply to be counted")),
        (.., true) => CheckResult::note(count, format!("{has}; more than {MOST_ELEMENTS} are too many")),
        (false, false, false) => CheckResult::passed(count),
    }
}

fn dom_depth(tree: &PageTree) -> CheckResult {
    let deepest = tree.elements.iter().max_by_key(|element| element.depth);
    let depth = deepest.map_or(0, |element| element.depth + 1);
    // Browsers do not lay out the head, however many metas and links it has.
    let laid_out = tree.elements.iter().filter(|element| &*element.name != "head");
    let widest =
        laid_out.map(|element| (tree.children(element).count(), element)).max_by_key(|(children, _)| *children);
    let children = widest.map_or(0, |(children, _)| children);
    let mut errors = Vec::new();
    if let Some(deepest) = deepest.filter(|_| depth > DEEPEST) {
        errors.push(format!(
            "elements are nested {depth} deep, at most {DEEPEST} recommended: {}",
            source_position(tree, deepest)
        ));
    }
    if let Some((_, widest)) = widest.filter(|_| children > MOST_CHILDREN) {
        errors.push(format!(
            "{children} elements, at most {MOST_CHILDREN} recommended, in {}",
            source_position(tree, widest)
        ));
    }
    CheckResult::from_errors(json!({ "depth": depth, "children": children }), errors)
}

/// Whether an image moves nothing when it is loaded, because its place is known or it takes none, or because the page
/// contains it as a drawing. `max-width: 100%; height: auto` sets neither width nor height.
fn has_dimensions(image: &Element) -> bool {
    let style = image.keyword("style");
    let value_of = |property: &str| {
        let mut declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
        let value = declarations.rfind(|(name, _)| name.trim() == property).map(|(_, value)| value);
        value.and_then(|value| value.split('!').next()).map(str::trim)
    };
    let by_style = |property: &str| {
        value_of(property).is_some_and(|value| !matches!(value, "" | "auto" | "initial" | "inherit" | "unset"))
    };
    // Browsers ignore a width or height without a number, such as `auto`.
    let by_attribute = |name: &str| image.keyword(name).starts_with(|digit: char| digit.is_ascii_digit());
    let is_set = |name: &str| by_attribute(name) || by_style(name);
    let takes_no_place = matches!(value_of("position"), Some("absolute" | "fixed"));
    takes_no_place || by_style("aspect-ratio") || (is_set("width") && is_set("height")) || is_drawing_of_the_page(image)
}

/// Whether the only file of an image is a drawing in its address. A script may replace a placeholder, and names the file
/// in another attribute, such as `data-src`.
fn is_drawing_of_the_page(image: &Element) -> bool {
    let mut files = image.attributes.iter().filter(|(name, _)| name.contains("src"));
    image.keyword("src").starts_with("data:image/svg") && files.all(|(name, _)| &**name == "src")
}

fn image_dimensions(tree: &PageTree) -> CheckResult {
    let images: Vec<&Element> = tree.named("img").filter(|image| !image.unseen).collect();
    let bare = images.iter().filter(|image| !has_dimensions(image));
    let errors = bare.map(|image| format!("no dimensions: {}", source_position(tree, image)));
    CheckResult::of_parts(images.len(), errors.collect())
}

/// Whether an image has a file to load. A script names that of other images when they are about to be seen.
fn names_file(image: &Element) -> bool {
    ["src", "srcset"].into_iter().map(|name| image.keyword(name)).any(|value| {
        // A placeholder is a part of the page.
        !value.is_empty() && !value.starts_with("data:")
    })
}

fn lazy_images(tree: &PageTree) -> CheckResult {
    let images: Vec<&Element> = tree.named("img").collect();
    let name = |image: &Element| source_position(tree, image);
    let mut errors = Vec::new();
    let first = images.iter().find(|image| !image.unseen && !image.is_pixel()).filter(|first| is_lazy(first));
    if let Some(first) = first.filter(|first| count_words(&tree.seen_text_before(first)) <= WORDS_ABOVE_THE_FOLD) {
        errors.push(format!("the first image is lazy: {}", name(first)));
    }
    let mut seen = 0;
    let eager = images.iter().enumerate().filter(|(index, image)| {
        // An image in a closed menu takes no place above the fold.
        let former = if image.unseen { *index } else { seen };
        seen += usize::from(!image.unseen);
        // The author knows that visitors see this image first, for example after the icons of a menu.
        let is_urgent = image.keyword("fetchpriority") == "high";
        former >= ABOVE_THE_FOLD && !is_lazy(image) && !is_urgent && !image.is_pixel() && names_file(image)
    });
    errors.extend(eager.map(|(_, image)| format!("not lazy: {}", name(image))));
    CheckResult::of_parts(images.len(), errors)
}
