//! Classifies IP addresses: public, loopback, private, or never a web page.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// The kind of an IP address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressKind {
    /// On the public internet.
    Public,
    /// This machine.
    Loopback,
    /// Private, unique local and carrier-grade NAT addresses.
    Private,
    /// Never a web page: link-local (cloud metadata services), multicast, reserved, documentation.
    Forbidden(&'static str),
}

impl AddressKind {
    /// Returns the kind with its article, for messages.
    pub fn words(self) -> &'static str {
        match self {
            Self::Public => "a public address",
            Self::Loopback => "an address of this machine",
            Self::Private => "a private address",
            Self::Forbidden(words) => words,
        }
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(first: u16, second: u16, third: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, third, 0, 0, 0, 0, 0), prefix)
}

const RESERVED: AddressKind = AddressKind::Forbidden("a reserved address");
const DOCUMENTATION: AddressKind = AddressKind::Forbidden("an address for documentation");
const LINK_LOCAL: AddressKind = AddressKind::Forbidden("a link-local address");
const MULTICAST: AddressKind = AddressKind::Forbidden("a multicast address");
const BENCHMARK: AddressKind = AddressKind::Forbidden("an address for benchmarks");

/// The IPv4 ranges that are not public (IANA special-purpose registry).
const V4: [(Ipv4Net, AddressKind); 15] = [
    (v4(0, 0, 0, 0, 8), RESERVED),
    (v4(10, 0, 0, 0, 8), AddressKind::Private),
    (v4(100, 64, 0, 0, 10), AddressKind::Private),
    (v4(127, 0, 0, 0, 8), AddressKind::Loopback),
    (v4(169, 254, 0, 0, 16), LINK_LOCAL),
    (v4(172, 16, 0, 0, 12), AddressKind::Private),
    (v4(192, 0, 0, 0, 24), RESERVED),
    (v4(192, 0, 2, 0, 24), DOCUMENTATION),
    (v4(192, 88, 99, 0, 24), RESERVED),
    (v4(192, 168, 0, 0, 16), AddressKind::Private),
    (v4(198, 18, 0, 0, 15), BENCHMARK),
    (v4(198, 51, 100, 0, 24), DOCUMENTATION),
    (v4(203, 0, 113, 0, 24), DOCUMENTATION),
    (v4(224, 0, 0, 0, 4), MULTICAST),
    (v4(240, 0, 0, 0, 4), RESERVED),
];

/// The IPv6 ranges that are not public, inside and outside of global unicast (IANA special-purpose registry).
const V6: [(Ipv6Net, AddressKind); 8] = [
    (v6(0xfc00, 0, 0, 7), AddressKind::Private),
    (v6(0xfe80, 0, 0, 10), LINK_LOCAL),
    (v6(0xff00, 0, 0, 8), MULTICAST),
    (v6(0x2001, 0x0002, 0, 48), BENCHMARK),
    (v6(0x2001, 0x0000, 0, 23), RESERVED),
    (v6(0x2001, 0x0db8, 0, 32), DOCUMENTATION),
    (v6(0x3fff, 0, 0, 20), DOCUMENTATION),
    (v6(0x5f00, 0, 0, 16), RESERVED),
];

/// The range from which IANA allocates global unicast addresses.
const GLOBAL_UNICAST: Ipv6Net = v6(0x2000, 0, 0, 3);
const TEREDO: Ipv6Net = v6(0x2001, 0, 0, 32);
const SIX_TO_FOUR: Ipv6Net = v6(0x2002, 0, 0, 16);
const NAT64: Ipv6Net = v6(0x0064, 0xff9b, 0, 96);

/// Returns the kind of an address. IPv6 forms that embed an IPv4 address are classified by the embedded one.
pub fn address_kind(address: IpAddr) -> AddressKind {
    match address {
        IpAddr::V4(address) => kind_of_v4(address),
        IpAddr::V6(address) => kind_of_v6(address),
    }
}

fn kind_of_v4(address: Ipv4Addr) -> AddressKind {
    V4.iter().find(|(range, _)| range.contains(&address)).map_or(AddressKind::Public, |(_, kind)| *kind)
}

fn kind_of_v6(address: Ipv6Addr) -> AddressKind {
    if address.is_loopback() {
        return AddressKind::Loopback;
    }
    for inner in embedded(address) {
        let kind = kind_of_v4(inner);
        if kind != AddressKind::Public {
            return kind;
        }
    }
    if address.to_ipv4_mapped().is_some() || NAT64.contains(&address) || TEREDO.contains(&address) {
        return AddressKind::Public;
    }
    if let Some((_, kind)) = V6.iter().find(|(range, _)| range.contains(&address)) {
        return *kind;
    }
    if GLOBAL_UNICAST.contains(&address) { AddressKind::Public } else { RESERVED }
}

/// Returns the IPv4 addresses embedded in an IPv6 address: mapped, compatible, NAT64, 6to4, Teredo, ISATAP.
fn embedded(address: Ipv6Addr) -> Vec<Ipv4Addr> {
    let bytes = address.octets();
    let at = |start: usize| Ipv4Addr::new(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]);
    let segments = address.segments();
    let mut inner = Vec::new();
    let compatible = segments[..6].iter().all(|segment| *segment == 0);
    let isatap = segments[4] & 0xfdff == 0 && segments[5] == 0x5efe;
    if address.to_ipv4_mapped().is_some() || compatible || isatap || NAT64.contains(&address) {
        inner.push(at(12));
    }
    if SIX_TO_FOUR.contains(&address) {
        inner.push(at(2));
    }
    if TEREDO.contains(&address) {
        // Teredo (RFC 4380) carries the server's address unchanged and the client's inverted.
        inner.push(at(4));
        inner.push(Ipv4Addr::from(!u32::from(at(12))));
    }
    inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kind_of(address: &str) -> AddressKind {
        address_kind(address.parse().unwrap())
    }

    #[test]
    fn special_ranges_have_their_kind() {
        for address in ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::127.0.0.1"]
        {
            assert_eq!(kind_of(address), AddressKind::Loopback, "{address}");
        }
        for address in [
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "100.127.255.255",
            "fd00::1",
            "fc00::1",
            "2002:a00:1::1",
            "::10.0.0.1",
            "::ffff:100.64.0.1",
            "64:ff9b::10.0.0.1",
            "2606:4700::5efe:10.0.0.1",
            "2606:4700::200:5efe:192.168.1.1",
        ] {
            assert_eq!(kind_of(address), AddressKind::Private, "{address}");
        }
        for address in
            ["93.184.216.34", "172.32.0.1", "2606:4700::1111", "64:ff9b::93.184.216.34", "::ffff:93.184.216.34"]
        {
            assert_eq!(kind_of(address), AddressKind::Public, "{address}");
        }
    }

    #[test]
    fn reserved_ranges_are_forbidden() {
        let forbidden = [
            "0.0.0.0",
            "::",
            "169.254.169.254",
            "fe80::1",
            "224.0.0.1",
            "ff02::1",
            "255.255.255.255",
            "240.0.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "198.51.100.1",
            "239.255.255.255",
            "0.1.2.3",
            "::ffff:0.0.0.0",
            "::2:3",
            "2001:db8:ffff::1",
            "203.0.113.9",
            "2001:db8::1",
            "3fff::1",
            "2001:2::1",
            "100::1",
            "fec0::1",
            "64:ff9b:1::1",
            "2002:a9fe:a9fe::1",
            "64:ff9b::a9fe:a9fe",
            "::ffff:169.254.169.254",
            "2001:20::1",
            "5f00::1",
        ];
        for address in forbidden {
            assert!(matches!(kind_of(address), AddressKind::Forbidden(_)), "{address}: {:?}", kind_of(address));
        }
    }

    #[test]
    fn a_teredo_address_is_classified_by_its_client() {
        // 192.168.1.1 inverted, behind a public server.
        assert_eq!(kind_of("2001:0:5db8:d822:0:0:3f57:fefe"), AddressKind::Private);
        assert_eq!(kind_of("2001:0:5db8:d822:0:0:a247:27dd"), AddressKind::Public);
    }

    proptest! {
        #[test]
        fn an_embedded_ipv4_address_is_always_found(bits in any::<u32>()) {
            let inner = Ipv4Addr::from(bits);
            let [a, b, c, d] = inner.octets();
            let high = u16::from_be_bytes([a, b]);
            let low = u16::from_be_bytes([c, d]);
            let expected = kind_of_v4(inner);
            let wrapped = [
                inner.to_ipv6_mapped(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, 0x5db8, 0xd822, 0, 0, !high, !low),
            ];
            for address in wrapped.into_iter().filter(|_| expected != AddressKind::Public) {
                prop_assert_eq!(address_kind(address.into()), expected, "{}", address);
            }
        }
    }
}
