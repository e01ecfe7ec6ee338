package clean

import (
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// URL returns the displayed form of a link's address, and whether it may be offered as
// a link: http and https with a host, and mailto. The real host is always readable:
// user information before @ is omitted, and a host that is not ASCII is shown in its
// ASCII form (xn--…), so that lookalike letters cannot deceive. For any other address
// ok is false, and shown is the cleaned text, which must not become a link.
func URL(s string) (shown string, ok bool) {
	line := Line(s)
	if strings.ContainsAny(line, " \\") || line != s {
		return line, false
	}
	u, err := url.Parse(line)
	if err != nil {
		return line, false
	}
	switch u.Scheme {
	case "mailto":
		at := strings.LastIndexByte(u.Opaque, '@')
		return line, at > 0 && at < len(u.Opaque)-1
	case "http", "https":
	default:
		return line, false
	}
	host, err := asciiHost(u)
	if err != nil || host == "" {
		return line, false
	}
	rest := line[strings.Index(line, "://")+len("://"):]
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[i:]
	} else {
		rest = ""
	}
	return u.Scheme + "://" + host + rest, true
}

// Host returns the real host of an http or https link, in ASCII with its port, or the
// domain of a mailto address. ok is as in [URL].
func Host(s string) (host string, ok bool) {
	shown, ok := URL(s)
	if !ok {
		return "", false
	}
	if addr, found := strings.CutPrefix(shown, "mailto:"); found {
		addr, _, _ = strings.Cut(addr, "?")
		return addr[strings.LastIndexByte(addr, '@')+1:], true
	}
	host = shown[strings.Index(shown, "://")+len("://"):]
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	return host, true
}

func asciiHost(u *url.URL) (string, error) {
	name, port := u.Hostname(), u.Port()
	name, err := idna.Punycode.ToASCII(strings.ToLower(name))
	if err != nil || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-._:") != "" {
		return "", err
	}
	if strings.Contains(name, ":") || port != "" {
		return joinHost(name, port), nil
	}
	return name, nil
}

func joinHost(name, port string) string {
	if port == "" {
		return "[" + name + "]"
	}
	return net.JoinHostPort(name, port)
}
