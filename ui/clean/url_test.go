package clean_test

import (
	"strings"
	"testing"

	"memoria/ui/clean"
	"memoria/ui/clean/oracle"
)

func TestURL(t *testing.T) {
	tests := []struct {
		in, shown, host string
		ok              bool
	}{
		{"https://go.dev/doc?x=1#y", "https://go.dev/doc?x=1#y", "go.dev", true},
		{"http://localhost:8080", "http://localhost:8080", "localhost:8080", true},
		{"HTTPS://Go.Dev/A", "https://go.dev/A", "go.dev", true},
		{"https://[::1]:80/x", "https://[::1]:80/x", "[::1]:80", true},
		{"https://[::1]/x", "https://[::1]/x", "[::1]", true},
		{"mailto:ann@example.com?subject=hi", "mailto:ann@example.com?subject=hi", "example.com", true},
		{"https://google.com@evil.example/login", "https://evil.example/login", "evil.example", true},
		{"https://google.com:pw@evil.example", "https://evil.example", "evil.example", true},
		{"https://аpple.com/", "https://xn--pple-43d.com/", "xn--pple-43d.com", true},
		{"https://zh.wikipedia.org/wiki/中文", "https://zh.wikipedia.org/wiki/中文", "zh.wikipedia.org", true},
		{"https://google.com⁄evil.example/", "https://xn--google-qt0c.comevil.example/", "", false},
		{"javascript:alert(1)", "javascript:alert(1)", "", false},
		{"data:text/html,x", "data:text/html,x", "", false},
		{"file:///etc/passwd", "file:///etc/passwd", "", false},
		{"./README.md", "./README.md", "", false},
		{"#top", "#top", "", false},
		{"https://", "https://", "", false},
		{"https:go.dev", "https:go.dev", "", false},
		{"mailto:", "mailto:", "", false},
		{"https://a b.example", "https://a b.example", "", false},
		{"https://google.com\\@evil.example", "https://google.com\\@evil.example", "", false},
		{"https://evil.example/\x1b]8;;\x07", "https://evil.example/␛]8;;␇", "", false},
		{"https://evil.example/\u202egpj", "https://evil.example/‹RLO›gpj", "", false},
	}
	for _, tt := range tests {
		shown, ok := clean.URL(tt.in)
		if strings.Contains(tt.in, "⁄") {
			// Whatever it is shown as, it is not taken for google.com.
			if host, _ := clean.Host(tt.in); host == "google.com" {
				t.Errorf("Host(%q) = %q", tt.in, host)
			}
			continue
		}
		if shown != tt.shown || ok != tt.ok {
			t.Errorf("URL(%q) = %q, %v, want %q, %v", tt.in, shown, ok, tt.shown, tt.ok)
		}
		if host, ok := clean.Host(tt.in); host != tt.host || ok != tt.ok {
			t.Errorf("Host(%q) = %q, %v, want %q, %v", tt.in, host, ok, tt.host, tt.ok)
		}
	}
}

func FuzzURL(f *testing.F) {
	for _, s := range []string{"https://a@b/c", "mailto:a@b", "http://[::1%25x]:1", "https://ä.de", "javascript:x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		shown, ok := clean.URL(in)
		if faults := oracle.Faults(oracle.Plain, shown); len(faults) > 0 || strings.ContainsAny(shown, "\n\t") {
			t.Fatalf("URL(%+q) = %+q: %v", in, shown, faults)
		}
		if !ok {
			return
		}
		if again, ok := clean.URL(shown); !ok || again != shown {
			t.Fatalf("URL of %+q = %+q, %v", shown, again, ok)
		}
		if host, ok := clean.Host(shown); !ok || host == "" {
			t.Fatalf("Host(%+q) = %q, %v", shown, host, ok)
		}
	})
}
