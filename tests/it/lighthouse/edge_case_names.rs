//! Pages with edge cases of accessible names, roles, lists, tables, media and policies.

use crate::lighthouse::edge_case_pages::{Hard, page};

const fn sent(name: &'static str, headers: &'static [&'static str]) -> Hard {
    Hard { name, headers, html: "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea" }
}

pub const CASES: &[Hard] = &[
    page("button-text", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button>Buy</button>"),
    page("button-empty", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button></button>"),
    page(
        "button-drawing-title",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button><svg><title>Buy</title></svg></button>",
    ),
    page(
        "button-drawing",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button><svg><path d='M0 0'/></svg></button>",
    ),
    page("button-label", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button aria-label=Buy></button>"),
    page(
        "button-labelled",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><b id=a>Buy</b><button aria-labelledby=a></button>",
    ),
    page(
        "button-labelled-hidden",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><b id=a hidden>Buy</b><button aria-labelledby=a></button>",
    ),
    page(
        "button-labelled-by-nobody",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button aria-labelledby=a></button>",
    ),
    page(
        "button-image",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button><img src=/a.png alt=Buy></button>",
    ),
    page(
        "button-image-empty",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button><img src=/a.png alt=''></button>",
    ),
    page("button-title", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button title=Buy></button>"),
    page(
        "button-hidden-text",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button><span hidden>Buy</span></button>",
    ),
    page(
        "button-unsaid-text",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button><span aria-hidden=true>x</span></button>",
    ),
    page("button-hidden", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button hidden></button>"),
    page(
        "button-in-closed-dialog",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><dialog><button></button></dialog>",
    ),
    page(
        "button-role-empty",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=button tabindex=0></div>",
    ),
    page(
        "button-role-text",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=button tabindex=0>Buy</div>",
    ),
    page("button-input-empty", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input type=button>"),
    page("button-input-submit", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input type=submit>"),
    page(
        "button-input-value",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input type=button value=Buy>",
    ),
    page(
        "name-link-image",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=/b><img src=/a.png alt=Tea></a>",
    ),
    page(
        "name-link-image-none",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=/b><img src=/a.png alt=''></a>",
    ),
    page("name-link-empty", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=/b></a>"),
    page("name-link-title", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=/b title=Tea></a>"),
    page("name-link-label", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=/b aria-label=Tea></a>"),
    page(
        "name-link-drawing",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=/b><svg role=img><title>Tea</title></svg></a>",
    ),
    page("name-link-space", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=/b> &nbsp; </a>"),
    page("label-for", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><label for=a>Tea</label><input id=a>"),
    page("label-around", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><label>Tea <input></label>"),
    page("label-none", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input>"),
    page("label-placeholder", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input placeholder=Tea>"),
    page("label-title", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input title=Tea>"),
    page("label-aria", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input aria-label=Tea>"),
    page(
        "label-hidden",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><label for=a hidden>Tea</label><input id=a>",
    ),
    page("label-empty", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><label for=a></label><input id=a>"),
    page("label-textarea", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><textarea></textarea>"),
    page("label-checkbox", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input type=checkbox>"),
    page("label-hidden-field", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input type=hidden>"),
    page("select-none", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><select><option>Tea</select>"),
    page(
        "select-label",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><label>Tea <select><option>a</select></label>",
    ),
    page(
        "select-title",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><select title=Tea><option>a</select>",
    ),
    page("image-button-none", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input type=image src=/a.png>"),
    page(
        "image-button-alt",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input type=image src=/a.png alt=Buy>",
    ),
    page("frame-none", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><iframe src=about:blank></iframe>"),
    page(
        "frame-title",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><iframe src=about:blank title=Tea></iframe>",
    ),
    page(
        "frame-label",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><iframe src=about:blank aria-label=Tea></iframe>",
    ),
    page(
        "frame-hidden",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><iframe src=about:blank hidden></iframe>",
    ),
    page(
        "object-none",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><object data=/a.png width=9 height=9></object>",
    ),
    page(
        "object-label",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><object data=/a.png width=9 height=9 aria-label=Tea></object>",
    ),
    page(
        "object-title",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><object data=/a.png width=9 height=9 title=Tea></object>",
    ),
    page("dialog-role-none", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=dialog>Tea</div>"),
    page(
        "dialog-role-label",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=dialog aria-label=Tea>Tea</div>",
    ),
    page(
        "checkbox-role-none",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div id=checkbox role=checkbox aria-checked=true tabindex=0></div>",
    ),
    page(
        "textbox-role-none",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div id=textbox role=textbox contenteditable>x</div>",
    ),
    page(
        "order-down",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><h1>a</h1><h2>b</h2><h3>c</h3><h2>d</h2>",
    ),
    page("order-gap", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><h1>a</h1><h3>c</h3>"),
    page(
        "order-role",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><h1>a</h1><div role=heading aria-level=3>c</div>",
    ),
    page(
        "order-hidden",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><h1>a</h1><h2 hidden>b</h2><h3>c</h3>",
    ),
    page("order-empty", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><h1>a</h1><h2></h2>"),
    page("order-image", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><h1><img src=/a.png alt=Tea></h1>"),
    page(
        "keys-apart",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=/a accesskey=a>Tea</a><a href=/b accesskey=b>Cup</a>",
    ),
    page(
        "keys-shared",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=/a accesskey=a>Tea</a><a href=/b accesskey=a>Cup</a>",
    ),
    page("role-unknown", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=buton>Tea</div>"),
    page(
        "role-second-known",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role='buton button' tabindex=0>Tea</div>",
    ),
    page("role-abstract", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=widget>Tea</div>"),
    page(
        "role-book",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><section role=doc-chapter aria-label=Tea>x</section>",
    ),
    page("role-hidden", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=buton hidden>Tea</div>"),
    page(
        "aria-misspelt",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button aria-presed=true>Tea</button>",
    ),
    page(
        "aria-known",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button aria-pressed=true>Tea</button>",
    ),
    page(
        "aria-value-wrong",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button aria-pressed=yes>Tea</button>",
    ),
    page(
        "aria-value-number",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=heading aria-level=two>Tea</div>",
    ),
    page(
        "aria-value-empty",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button aria-pressed=''>Tea</button>",
    ),
    page(
        "aria-id-missing",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><button aria-describedby=nobody>Tea</button>",
    ),
    page(
        "aria-id-there",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><p id=a>x<button aria-describedby=a>Tea</button>",
    ),
    page(
        "aria-required-none",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=checkbox tabindex=0>Tea</div>",
    ),
    page(
        "aria-required-there",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=checkbox aria-checked=false tabindex=0>Tea</div>",
    ),
    page(
        "aria-required-native",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><input type=checkbox role=switch aria-label=Tea>",
    ),
    page(
        "aria-slider",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=slider tabindex=0 aria-label=Tea>x</div>",
    ),
    page(
        "unsaid-link",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div aria-hidden=true><a href=/a>Tea</a></div>",
    ),
    page(
        "unsaid-tabindex",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div aria-hidden=true><p tabindex=0>Tea</p></div>",
    ),
    page(
        "unsaid-disabled",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div aria-hidden=true><button disabled>Tea</button></div>",
    ),
    page(
        "unsaid-minus",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div aria-hidden=true><a href=/a tabindex=-1>Tea</a></div>",
    ),
    page(
        "unsaid-not-shown",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div aria-hidden=true style='display:none'><a href=/a>Tea</a></div>",
    ),
    page("list-fine", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><ul><li>Tea</ul>"),
    page("list-with-div", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><ul><div>Tea</div></ul>"),
    page(
        "list-with-script",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><ul><li>Tea<script></script></ul>",
    ),
    page(
        "list-as-tabs",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><ul role=tablist><li role=tab>Tea</ul>",
    ),
    page("list-entry-alone", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div><li>Tea</div>"),
    page("list-entry-role", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div role=list><li>Tea</div>"),
    page(
        "list-entry-other-role",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><ul><li role=none>Tea</ul>",
    ),
    page("terms-fine", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><dl><dt>Tea<dd>x</dl>"),
    page("terms-grouped", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><dl><div><dt>Tea<dd>x</div></dl>"),
    page("terms-with-p", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><dl><p>Tea</p></dl>"),
    page("terms-alone", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><div><dd>Tea</div>"),
    page(
        "cells-fine",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><table><tr><th id=a>Tea<tr><td headers=a>x</table>",
    ),
    page(
        "cells-missing",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><table><tr><th id=a>Tea<tr><td headers=b>x</table>",
    ),
    page(
        "cells-elsewhere",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><p id=b>x<table><tr><th id=a>Tea<tr><td headers=b>x</table>",
    ),
    page(
        "table-said-twice",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><table summary=Tea><caption>Tea</caption><tr><th>a<td>b</table>",
    ),
    page(
        "table-said-once",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><table summary=Prices><caption>Tea</caption><tr><th>a<td>b</table>",
    ),
    page(
        "skip-works",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=#m>Skip to content</a><p><a href=/a>Tea</a><main id=m tabindex=-1>x</main>",
    ),
    page(
        "skip-broken",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><a href=#n>Skip to content</a><p><a href=/a>Tea</a><main id=m>x</main>",
    ),
    page("video-bare", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><video src=/a.mp4 controls></video>"),
    page(
        "video-captions",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><video src=/a.mp4 controls><track kind=captions src=/a.vtt></video>",
    ),
    page("video-muted", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><video src=/a.mp4 muted></video>"),
    page(
        "video-chapters",
        "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><video src=/a.mp4 controls><track kind=chapters src=/a.vtt></video>",
    ),
    page("tab-order", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><p tabindex=3>Tea"),
    page("tab-natural", "<!DOCTYPE html><html lang=en><title>Tea</title><p>Tea</p><p tabindex=0>Tea"),
    sent(
        "csp-good",
        &[
            "content-security-policy: default-src 'none'; script-src 'nonce-x' 'strict-dynamic' https: 'unsafe-inline'; object-src 'none'; base-uri 'none'",
        ],
    ),
    sent(
        "csp-inline",
        &["content-security-policy: script-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'"],
    ),
    sent("csp-any", &["content-security-policy: script-src *; object-src 'none'; base-uri 'none'"]),
    sent("csp-scheme", &["content-security-policy: script-src https:; object-src 'none'; base-uri 'none'"]),
    sent("csp-data", &["content-security-policy: script-src data: 'self'; object-src 'none'; base-uri 'none'"]),
    sent("csp-no-scripts", &["content-security-policy: img-src 'self'; object-src 'none'; base-uri 'none'"]),
    sent("csp-no-objects", &["content-security-policy: script-src 'nonce-x'; base-uri 'none'"]),
    sent("csp-nonce-no-base", &["content-security-policy: script-src 'nonce-x' 'strict-dynamic'; object-src 'none'"]),
    sent(
        "csp-eval",
        &["content-security-policy: script-src 'nonce-x' 'unsafe-eval'; object-src 'none'; base-uri 'none'"],
    ),
    sent(
        "csp-hosts",
        &["content-security-policy: script-src 'self' https://cdn.shop.example; object-src 'none'; base-uri 'none'"],
    ),
    sent("csp-none", &[]),
    sent("csp-reported", &["content-security-policy-report-only: default-src 'self'"]),
    sent(
        "csp-two",
        &[
            "content-security-policy: script-src 'unsafe-inline'",
            "content-security-policy: script-src 'nonce-x' 'strict-dynamic'; object-src 'none'; base-uri 'none'",
        ],
    ),
];
