//! Tests of the address policy, spelling by spelling.

use super::*;
use proptest::prelude::*;

fn check(policy: &Policy, url: &str) -> Result<(), UrlRefusal> {
    let url = normalize(url)?;
    policy.check_url(&url, &policy.permission(&url))
}

#[test]
fn odd_spellings_of_loopback_are_loopback() {
    let spellings = [
        "127.0.0.1",
        "0x7f.1",
        "2130706433",
        "017700000001",
        "127.1",
        "0x7f000001",
        "127.0.0.1.",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:0:0:1]",
        "①②⑦.0.0.1",
        "127。0。0。1",
    ];
    for spelling in spellings {
        let url = format!("http://{spelling}/");
        let refused = check(&Policy::new(Reach::PublicOnly), &url);
        assert!(matches!(refused, Err(UrlRefusal::Address { .. })), "{url}: {refused:?}");
        assert_eq!(check(&Policy::new(Reach::LocalUser), &url), Ok(()), "{url}");
    }
}

#[test]
fn a_service_recognizes_every_spelling_of_a_private_host() {
    let spellings = [
        "http://0177.0.0.1/",
        "http://0x7f.0x0.0x0.0x1/",
        "http://127.0.1/",
        "http://%31%32%37.0.0.1/",
        "http://０x7f.1/",
        "http://127.0.0.\u{ad}1/",
        "http://127.0.\n0.1/",
        "http:\\\\127.0.0.1\\",
        "http:127.0.0.1",
        "http:///127.0.0.1/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:5db8:d822::80ff:fffe]/",
        "http://10.1/",
        "http://0xa000001/",
        "http://192.168.257/",
        "http://0/",
        "http://100.64.0.1/",
        "http://169.254.43518/",
        "http://[fd00::1]/",
        "http://[::ffff:169.254.169.254]/",
        "http://[0:0:0:0:0:ffff:c0a8:101]/",
        "127.1",
        "2130706433:8080",
        "[::]:80",
    ];
    for spelling in spellings {
        let refused = check(&Policy::new(Reach::PublicOnly), spelling);
        assert!(matches!(refused, Err(UrlRefusal::Address { .. })), "{spelling}: {refused:?}");
    }
    for spelling in [
        "http://256.0.0.1/",
        "http://1.2.3.4.5/",
        "http://0x100000000/",
        "http://[::1%25eth0]/",
        "http://127.0.0.1%00/",
    ] {
        let refused = check(&Policy::new(Reach::PublicOnly), spelling);
        assert!(matches!(refused, Err(UrlRefusal::NotAUrl(_))), "{spelling}: {refused:?}");
    }
}

#[test]
fn forbidden_addresses_are_refused_under_every_policy() {
    for host in
        ["169.254.169.254", "0.0.0.0", "[fe80::1]", "[::]", "224.0.0.1", "[64:ff9b::a9fe:a9fe]", "255.255.255.255"]
    {
        for reach in [Reach::PublicOnly, Reach::LocalUser] {
            let refused = check(&Policy::new(reach), &format!("http://{host}/"));
            assert!(matches!(refused, Err(UrlRefusal::Address { .. })), "{host} {reach:?}: {refused:?}");
        }
    }
}

#[test]
fn urls_are_completed_or_refused() {
    for (typed, expected) in [
        ("shop.example", "https://shop.example/"),
        (" shop.example/tea#top ", "https://shop.example/tea"),
        ("localhost:3000/x", "http://localhost:3000/x"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080/"),
        ("[::1]:3000", "http://[::1]:3000/"),
        ("10.0.0.1", "https://10.0.0.1/"),
        ("HTTP://Shop.Example", "http://shop.example/"),
        ("shop.example:8443/a:b", "https://shop.example:8443/a:b"),
        ("bücher.example", "https://xn--bcher-kva.example/"),
    ] {
        assert_eq!(normalize(typed).unwrap().as_str(), expected, "{typed}");
    }
    for typed in
        ["ftp://shop.example/", "javascript:alert(1)", "file:///etc/passwd", "file:/etc/passwd", "data:text/html,x"]
    {
        assert!(matches!(normalize(typed), Err(UrlRefusal::Scheme(_))), "{typed}: {:?}", normalize(typed));
    }
    for typed in ["", "https://", "http://[::1", "shop .example", "http://shop.example:99999/", "http://x:0/"] {
        assert!(matches!(normalize(typed), Err(UrlRefusal::NotAUrl(_))), "{typed}: {:?}", normalize(typed));
    }
    for typed in
        ["https://me:secret@shop.example/", "https://me@shop.example/", "me@shop.example", "mailto@x:y@shop.example"]
    {
        assert!(matches!(normalize(typed), Err(UrlRefusal::Userinfo)), "{typed}: {:?}", normalize(typed));
    }
    assert!(matches!(normalize(&format!("shop.example/{}", "a".repeat(3000))), Err(UrlRefusal::TooLong(_))));
}

#[test]
fn public_hosts_answer_on_web_ports_only() {
    let policy = Policy::new(Reach::PublicOnly);
    let public = "93.184.216.34".parse().unwrap();
    for (url, expected) in [
        ("http://shop.example/", true),
        ("https://shop.example:8443/", true),
        ("https://shop.example:9443/", false),
        ("http://shop.example:22/", false),
        ("http://shop.example:6379/", false),
    ] {
        let url = normalize(url).unwrap();
        assert_eq!(policy.check_address(&url, public, &Permission::Public).is_ok(), expected, "{url}");
    }
}

#[test]
fn the_requested_url_allows_only_its_own_network() {
    let policy = Policy::new(Reach::LocalUser);
    let loopback: IpAddr = "127.0.0.1".parse().unwrap();
    let private: IpAddr = "192.168.1.7".parse().unwrap();
    let is_allowed = |typed: &str, next: &str, address: IpAddr| {
        let permission = policy.permission(&normalize(typed).unwrap());
        policy.check_address(&normalize(next).unwrap(), address, &permission).is_ok()
    };
    assert!(is_allowed("localhost:3000", "http://localhost:9/", loopback));
    assert!(is_allowed("localhost:3000", "http://127.0.0.1:9/", loopback));
    assert!(!is_allowed("localhost:3000", "http://192.168.1.7/", private), "from this machine into the house");
    assert!(is_allowed("192.168.1.7", "http://192.168.1.7:81/", private));
    assert!(is_allowed("nas.local", "http://nas.local/", private));
    assert!(!is_allowed("nas.local", "http://router.local/", private), "from one host of the house to another");
    assert!(!is_allowed("shop.example", "http://shop.example/", private), "a public name with a private address");
    assert!(!is_allowed("shop.example", "http://localhost/", loopback), "from a public page to this machine");
}

#[test]
fn the_configuration_can_allow_hosts_and_ranges_but_not_this_service() {
    let policy = Policy {
        allowed: vec!["intranet.example".into(), "10.1.0.0/16".into(), "127.0.0.1".into()],
        own_listener: Some("127.0.0.1:8750".parse().unwrap()),
        ..Policy::new(Reach::PublicOnly)
    };
    for (url, expected) in
        [("http://10.1.2.3:99/", true), ("http://10.2.0.1/", false), ("http://127.0.0.1:3000/", true)]
    {
        assert_eq!(check(&policy, url).is_ok(), expected, "{url}");
    }
    for url in
        ["http://127.0.0.1:8750/", "http://[::ffff:127.0.0.1]:8750/", "http://0x7f.1:8750", "http://0.0.0.0:8750"]
    {
        let refused = check(&policy, url);
        assert!(matches!(refused, Err(UrlRefusal::OwnListener(_))), "{url}: {refused:?}");
    }
    let url = normalize("http://intranet.example/").unwrap();
    assert!(policy.check_address(&url, "192.168.0.9".parse().unwrap(), &Permission::Public).is_ok());
}

#[test]
fn a_listener_on_all_addresses_is_recognised_at_each() {
    let policy = Policy { own_listener: Some("0.0.0.0:8750".parse().unwrap()), ..Policy::new(Reach::LocalUser) };
    for url in ["http://127.0.0.1:8750/", "http://192.168.1.2:8750/", "http://[::1]:8750/"] {
        assert!(matches!(check(&policy, url), Err(UrlRefusal::OwnListener(_))), "{url}");
    }
    assert!(check(&policy, "http://127.0.0.1:8751/").is_ok());
}

proptest! {
    #[test]
    fn a_service_never_dials_a_literal_that_is_not_public(bits in any::<u32>(), port in 1_u16..) {
        let address = std::net::Ipv4Addr::from(bits);
        for host in [address.to_string(), bits.to_string(), format!("0x{bits:x}"), format!("[{}]", address.to_ipv6_mapped())] {
            let judged = check(&Policy::new(Reach::PublicOnly), &format!("http://{host}:{port}/"));
            if judged.is_ok() {
                prop_assert_eq!(address_kind(address.into()), AddressKind::Public);
                prop_assert!(WEB_PORTS.contains(&port));
            }
        }
    }

    #[test]
    fn any_input_is_completed_to_a_web_address_or_rejected(typed in any::<String>()) {
        if let Ok(url) = normalize(&typed) {
            prop_assert!(matches!(url.scheme(), "http" | "https"));
            prop_assert!(url.has_host() && url.username().is_empty() && url.password().is_none());
            prop_assert_eq!(normalize(url.as_str()).unwrap(), url.clone());
        }
    }
}

#[test]
fn a_host_that_dns_cannot_have_is_not_a_web_address() {
    let longest = format!("{}a", "a.".repeat(126));
    assert!(normalize(&format!("https://{longest}./tea")).is_ok());
    for host in [format!("{longest}a"), ".".to_owned(), "茶.".repeat(60)] {
        let refused = normalize(&format!("https://{host}/"));
        assert!(matches!(refused, Err(UrlRefusal::NotAUrl(_))), "{host}: {refused:?}");
    }
}
