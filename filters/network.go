package filters

import (
	"math/big"
	"net/netip"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// parsePrefix reads an address, which is a network of one, or an address with a
// prefix length or netmask.
func parsePrefix(s string) (p netip.Prefix, single bool, ok bool) {
	addr, bits, has := strings.Cut(strings.TrimSpace(s), "/")
	a, err := netip.ParseAddr(addr)
	if err != nil || a.Zone() != "" {
		return p, false, false
	}
	if !has {
		return netip.PrefixFrom(a, a.BitLen()), true, true
	}
	n, err := strconv.Atoi(bits)
	if mask, maskErr := netip.ParseAddr(bits); err != nil && maskErr == nil && mask.Is4() && a.Is4() {
		n, ok = maskBits(mask)
		if !ok {
			return p, false, false
		}
	} else if err != nil {
		return p, false, false
	}
	p = netip.PrefixFrom(a, n)
	return p, n == a.BitLen(), p.IsValid()
}

func maskBits(mask netip.Addr) (int, bool) {
	n := addrInt(mask)
	for bits := 0; bits <= 32; bits++ {
		if addrInt(netmask(mask, bits)).Cmp(n) == 0 {
			return bits, true
		}
	}
	return 0, false
}

func addrInt(a netip.Addr) *big.Int { return new(big.Int).SetBytes(a.AsSlice()) }

// intAddr is the address with number n in the family of like.
func intAddr(n *big.Int, like netip.Addr) (netip.Addr, bool) {
	size := like.BitLen() / 8
	if n.Sign() < 0 || n.BitLen() > size*8 {
		return netip.Addr{}, false
	}
	return netip.AddrFromSlice(n.FillBytes(make([]byte, size)))
}

func netmask(like netip.Addr, bits int) netip.Addr {
	all := networkSize(like, 0)
	mask, _ := intAddr(all.Sub(all, networkSize(like, bits)), like)
	return mask
}

func hostmask(like netip.Addr, bits int) netip.Addr {
	mask, _ := intAddr(new(big.Int).Sub(networkSize(like, bits), big.NewInt(1)), like)
	return mask
}

func networkSize(like netip.Addr, bits int) *big.Int {
	return new(big.Int).Lsh(big.NewInt(1), uint(like.BitLen()-bits))
}

// A network is an address with the network it is in.
type network struct {
	netip.Prefix
	single bool   // one address only
	text   string // as given
}

func (n network) base() netip.Addr { return n.Masked().Addr() }
func (n network) isBase() bool     { return n.Addr() == n.base() }
func (n network) size() *big.Int   { return networkSize(n.Addr(), n.Bits()) }

func (n network) at(offset *big.Int) (netip.Addr, bool) {
	if offset.Sign() < 0 {
		offset = new(big.Int).Add(offset, n.size())
	}
	if offset.Sign() < 0 || offset.Cmp(n.size()) >= 0 {
		return netip.Addr{}, false
	}
	return intAddr(new(big.Int).Add(addrInt(n.base()), offset), n.Addr())
}

func (n network) last() netip.Addr {
	a, _ := n.at(big.NewInt(-1))
	return a
}

// parseNetwork reads a network from a text, or an IPv4 address from its number.
func parseNetwork(v value.Value) (network, bool) {
	s := v.Str()
	if i, ok := v.Int(); ok && i >= 0 && i < 1<<32 {
		a, _ := intAddr(big.NewInt(i), netip.IPv4Unspecified())
		s = a.String()
	}
	p, single, ok := parsePrefix(s)
	return network{p, single, strings.TrimSpace(s)}, ok
}

// usableRange leaves out the network and broadcast addresses of a network that is
// large enough to have them.
func usableRange(n network) (from, to netip.Addr, ok bool) {
	from, to = n.base(), n.last()
	if n.size().Cmp(big.NewInt(2)) > 0 {
		from, to = from.Next(), to.Prev()
	}
	return from, to, !n.single
}

func usableSize(n network) *big.Int {
	size := n.size()
	if size.Cmp(big.NewInt(2)) > 0 {
		return size.Sub(size, big.NewInt(2))
	}
	return size
}

func reverseName(a netip.Addr) string {
	var parts []string
	if a.Is4() {
		for _, b := range a.AsSlice() {
			parts = append([]string{strconv.Itoa(int(b))}, parts...)
		}
		return strings.Join(parts, ".") + ".in-addr.arpa."
	}
	for _, b := range a.AsSlice() {
		parts = append([]string{strconv.FormatInt(int64(b&15), 16), strconv.FormatInt(int64(b>>4), 16)}, parts...)
	}
	return strings.Join(parts, ".") + ".ip6.arpa."
}

func wrapped(n network) string {
	switch {
	case n.Addr().Is4():
		return n.text
	case strings.Contains(n.text, "/"):
		return "[" + n.Addr().String() + "]/" + strconv.Itoa(n.Bits())
	}
	return "[" + n.Addr().String() + "]"
}
