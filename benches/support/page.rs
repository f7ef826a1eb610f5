//! An ordinary page of any size, for benches.

use std::fmt::Write as _;

/// Returns an ordinary page: headings, paragraphs, links, images, a form, a few scripts.
pub fn of(bytes: usize) -> String {
    let mut html = String::from(
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Green tea from Kyoto</title>\
         <meta name=description content='Seven green teas from two regions.'>\
         <link rel=stylesheet href=/style.css><script src=/a.js defer></script></head><body><main><h1>Teas</h1>",
    );
    let mut number = 0;
    while html.len() < bytes {
        number += 1;
        // Writing to a String cannot fail.
        let _ = write!(
            html,
            "<section id=s{number} class='card wide'><h2>Tea number {number}</h2><p>It grew in the shade for three \
             weeks, <b>dark</b>, soft and sweet. <a href='/tea/{number}?from=list'>All about tea {number}</a></p>\
             <img src=/images/{number}.webp alt='Leaves of tea {number}' width=400 height=300 loading=lazy>\
             <form action=/order><label for=f{number}>Amount</label><input id=f{number} name=amount></form></section>"
        );
    }
    html.push_str("</main></body></html>");
    html
}
