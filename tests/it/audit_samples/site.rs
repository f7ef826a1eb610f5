//! A well-configured server for the samples: good headers, so that only the page decides its result.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// The response to one path.
#[derive(Clone)]
pub struct Answer {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Vec<u8>,
}

/// A running server, stopped when dropped.
pub struct Site {
    pub origin: String,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

const HEADERS: &str = "content-security-policy: default-src 'self'; object-src 'none'; frame-ancestors 'self'\r\n\
    x-content-type-options: nosniff\r\ncache-control: max-age=600\r\nreferrer-policy: no-referrer\r\n\
    connection: close\r\n";

impl Site {
    /// Serves these responses; robots.txt, sitemap and icon are fine, and every other path is a 404.
    pub async fn start(answers: HashMap<String, Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let mut answers = answers;
        let sitemap = format!("<?xml version=\"1.0\"?><urlset><url><loc>{origin}/</loc></url></urlset>");
        for (path, content_type, body) in [
            ("/robots.txt", "text/plain", format!("User-agent: *\nDisallow:\nSitemap: {origin}/sitemap.xml\n")),
            ("/sitemap.xml", "text/xml", sitemap),
            ("/favicon.ico", "image/x-icon", "icon".to_owned()),
        ] {
            let answer = Answer { status: 200, content_type, body: body.into_bytes() };
            answers.entry(path.to_owned()).or_insert(answer);
        }
        let answers = Arc::new(answers);
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let answers = Arc::clone(&answers);
                tokio::spawn(async move {
                    let (mut head, mut piece) = (Vec::new(), [0_u8; 2048]);
                    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
                        match stream.read(&mut piece).await {
                            Ok(0) | Err(_) => return,
                            Ok(read) => head.extend_from_slice(&piece[..read]),
                        }
                    }
                    let head = String::from_utf8_lossy(&head).into_owned();
                    let path = head.split(' ').nth(1).unwrap_or("/");
                    let missing = Answer { status: 404, content_type: "text/html", body: b"<h1>404</h1>".to_vec() };
                    let answer = answers.get(path).unwrap_or(&missing);
                    let lines = format!(
                        "HTTP/1.1 {} Said\r\ncontent-type: {}\r\n{HEADERS}content-length: {}\r\n\r\n",
                        answer.status,
                        answer.content_type,
                        answer.body.len()
                    );
                    let _ = stream.write_all(lines.as_bytes()).await;
                    let _ = stream.write_all(&answer.body).await;
                });
            }
        });
        Self { origin, task }
    }
}
