//! The compared pages and their server: nginx on loopback, serving a fixed sample of installed documentation.

use std::fmt::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{edge_case_links, edge_case_names, edge_case_pages};
use crate::lighthouse::edge_case_pages::{Hard, ROBOTS};
use crate::support::own_process::KilledOnDrop;
use crate::support::waiting::wait_until;

/// A package, the folder of its pages, the number of pages evenly sampled, and those always included.
struct Source {
    package: &'static str,
    folder: &'static str,
    evenly: usize,
    always: &'static [&'static str],
}

const SOURCES: [Source; 17] = [
    // This Debian package has no HTML except nginx's default page.
    Source { package: "nginx-doc", folder: "/usr/share/nginx/html", evenly: 1, always: &[] },
    Source {
        package: "python3-doc",
        folder: "/usr/share/doc/python3.11/html",
        evenly: 6,
        always: &["index.html", "library/os.path.html", "whatsnew/3.0.html", "genindex-K.html", "search.html"],
    },
    Source {
        package: "apache2-doc",
        folder: "/usr/share/doc/apache2-doc/manual",
        evenly: 12,
        always: &["ja/index.html"],
    },
    Source { package: "debian-faq", folder: "/usr/share/doc/debian/FAQ", evenly: 2, always: &[] },
    Source { package: "debian-faq-de", folder: "/usr/share/doc/debian/FAQ/de", evenly: 1, always: &[] },
    Source { package: "debian-faq-ja", folder: "/usr/share/doc/debian/FAQ/ja", evenly: 1, always: &[] },
    Source { package: "debian-faq-ru", folder: "/usr/share/doc/debian/FAQ/ru", evenly: 1, always: &[] },
    Source { package: "debian-reference-en", folder: "/usr/share/debian-reference", evenly: 2, always: &[] },
    Source {
        package: "debian-reference-de",
        folder: "/usr/share/debian-reference",
        evenly: 0,
        always: &["apa.de.html"],
    },
    Source {
        package: "debian-reference-ja",
        folder: "/usr/share/debian-reference",
        evenly: 0,
        always: &["apa.ja.html"],
    },
    Source { package: "developers-reference-fr", folder: "/usr/share/developers-reference/fr", evenly: 2, always: &[] },
    Source { package: "developers-reference-ja", folder: "/usr/share/developers-reference/ja", evenly: 2, always: &[] },
    Source {
        package: "ant-doc",
        folder: "/usr/share/doc/ant",
        evenly: 5,
        always: &["manual/toc.html", "manual/Tasks/javac.html"],
    },
    Source { package: "sqlite3-doc", folder: "/usr/share/doc/sqlite3", evenly: 10, always: &["index.html"] },
    Source { package: "bash-doc", folder: "/usr/share/doc/bash-doc", evenly: 2, always: &[] },
    Source { package: "ghostscript-doc", folder: "/usr/share/doc/ghostscript/html", evenly: 7, always: &[] },
    Source { package: "ntpsec-doc", folder: "/usr/share/doc/ntpsec-doc/html", evenly: 7, always: &[] },
];

/// Larger pages keep Lighthouse busy for minutes, because it queries the browser for every link.
const LARGEST_PAGE: u64 = 150_000;
/// Smaller files are redirects and fragments.
const SMALLEST_PAGE: u64 = 200;

/// A page to be judged.
pub struct Page {
    /// Its name in tables and in `explained`: package and path, or `hard/` and a name.
    pub name: String,
    pub url: String,
    /// Changes with the content of the page.
    pub mark: u64,
}

/// A running nginx and its pages, stopped when dropped.
pub struct Site {
    pub pages: Vec<Page>,
    _server: KilledOnDrop,
    _folder: tempfile::TempDir,
}

impl Site {
    /// Starts nginx and selects the pages.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ports = free_ports(1 + ROBOTS.len());
        let origin = format!("http://127.0.0.1:{}", ports[0]);
        let cases: Vec<&Hard> =
            edge_case_pages::CASES.iter().chain(edge_case_links::CASES).chain(edge_case_names::CASES).collect();
        let mut pages = documentation(&origin);
        std::fs::create_dir(folder.path().join("hard")).unwrap();
        for case in &cases {
            let html = case.html.replace("ORIGIN", &origin).replace("FILLER", &"filler ".repeat(200));
            std::fs::write(folder.path().join("hard").join(case.name), html).unwrap();
            let mark = mark_of(format!("{}{:?}{}", case.name, case.headers, case.html).as_bytes());
            pages.push(Page { name: format!("hard/{}", case.name), url: format!("{origin}/hard/{}", case.name), mark });
        }
        for (robots, port) in ROBOTS.iter().zip(&ports[1..]) {
            std::fs::write(folder.path().join(robots.name), robots.text).unwrap();
            let mark = mark_of(format!("{}{}{}", robots.name, robots.status, robots.text).as_bytes());
            let url = format!("http://127.0.0.1:{port}/page.html");
            pages.push(Page { name: format!("robots/{}", robots.name), url, mark });
        }
        std::fs::write(folder.path().join("page.html"), edge_case_pages::PLAIN).unwrap();
        let config = folder.path().join("nginx.conf");
        std::fs::write(&config, configuration(folder.path(), &ports, &cases)).unwrap();
        let server =
            Command::new("nginx").arg("-p").arg(folder.path()).arg("-c").arg(&config).args(["-e", "stderr"]).spawn();
        let server = KilledOnDrop(server.expect("nginx is missing: apt install nginx-light"));
        wait_for(ports[0]);
        Self { pages, _server: server, _folder: folder }
    }
}

fn free_ports(count: usize) -> Vec<u16> {
    let listeners: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}

fn wait_for(port: u16) {
    wait_until("nginx responds", || TcpStream::connect(("127.0.0.1", port)).is_ok());
}

/// FNV-1a, because the standard library's hash may differ between releases of Rust.
fn mark_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |mark, byte| (mark ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn documentation(origin: &str) -> Vec<Page> {
    let missing: Vec<&str> =
        SOURCES.iter().filter(|source| !Path::new(source.folder).exists()).map(|source| source.package).collect();
    assert!(missing.is_empty(), "documentation is missing: apt install {}", missing.join(" "));
    let mut pages = Vec::new();
    for source in &SOURCES {
        let folder = Path::new(source.folder);
        let mut chosen = evenly(&html_files(folder), source.evenly);
        for name in source.always {
            let path = folder.join(name);
            assert!(path.exists(), "{name} is missing: apt install {}", source.package);
            chosen.push(path);
        }
        chosen.sort();
        chosen.dedup();
        for path in chosen {
            let inside = path.strip_prefix(folder).unwrap().to_str().unwrap();
            let name = format!("{}/{inside}", source.package);
            pages.push(Page { url: format!("{origin}/{name}"), name, mark: mark_of(&std::fs::read(&path).unwrap()) });
        }
    }
    pages
}

fn html_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let about = std::fs::symlink_metadata(&path).unwrap();
        if about.is_dir() {
            found.extend(html_files(&path));
        } else if about.is_file()
            && path.extension().is_some_and(|extension| extension == "html")
            && (SMALLEST_PAGE..=LARGEST_PAGE).contains(&about.len())
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn evenly(files: &[PathBuf], count: usize) -> Vec<PathBuf> {
    (0..count.min(files.len())).map(|index| files[index * files.len() / count].clone()).collect()
}

fn configuration(folder: &Path, ports: &[u16], cases: &[&Hard]) -> String {
    let mut text = String::from(
        "daemon off;\nmaster_process off;\npid nginx.pid;\nevents {}\nhttp {\naccess_log off;\n\
         client_body_temp_path body;\nproxy_temp_path proxy;\nfastcgi_temp_path fastcgi;\nuwsgi_temp_path uwsgi;\n\
         scgi_temp_path scgi;\ntypes { text/html html; text/css css; text/javascript js; image/png png; image/gif gif; \
         image/jpeg jpg jpeg; image/svg+xml svg; }\n",
    );
    writeln!(text, "server {{\nlisten 127.0.0.1:{};\nroot {};", ports[0], folder.display()).unwrap();
    for source in &SOURCES {
        writeln!(text, "location /{}/ {{ alias {}/; }}", source.package, source.folder).unwrap();
    }
    for case in cases {
        let kind = case.headers.iter().find_map(|header| header.strip_prefix("content-type: "));
        let kind = kind.unwrap_or("text/html; charset=utf-8");
        write!(text, "location = /hard/{} {{ types {{}} default_type \"{kind}\"; ", case.name).unwrap();
        for header in case.headers.iter().filter(|header| !header.starts_with("content-type: ")) {
            let (name, value) = header.split_once(": ").unwrap();
            // Policies contain single quotes, links contain double quotes.
            let quote = if value.contains('\'') { '"' } else { '\'' };
            write!(text, "add_header {name} {quote}{value}{quote}; ").unwrap();
        }
        text.push_str("}\n");
    }
    text.push_str("}\n");
    for (robots, port) in ROBOTS.iter().zip(&ports[1..]) {
        let served = if robots.status == 200 {
            format!("types {{}} default_type text/plain; alias {}/{};", folder.display(), robots.name)
        } else {
            format!("return {};", robots.status)
        };
        writeln!(
            text,
            "server {{\nlisten 127.0.0.1:{port};\nroot {};\ncharset utf-8;\nlocation = /robots.txt {{ {served} }}\n}}",
            folder.display()
        )
        .unwrap();
    }
    text + "}\n"
}
