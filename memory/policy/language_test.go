package policy

import (
	"testing"
	"testing/fstest"
)

// TestLanguageFiles reads the files of both languages and compiles all they hold.
func TestLanguageFiles(t *testing.T) {
	for _, l := range []*language{english(), chinese()} {
		if err := l.Check(); err != nil {
			t.Error(err)
		}
		for _, r := range l.rules {
			if r.says.Regexp() == nil {
				t.Errorf("%s: rule %s does not compile", r.where, r.name)
			}
		}
	}
}

// TestLanguageErrors shows that a mistake in a file is reported with its file and line.
func TestLanguageErrors(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"unknown slot", "rule x\n    says  i am <o>\n    keep  nothing\n", `en/x.txt:3: rule x: unknown slot "nothing"`},
		{"unknown kind", "rule x\n    says  i am <o>\n    object <o> thing\n", `en/x.txt:3: rule x: unknown kind "thing"`},
		{"says nothing", "slot s\nrule x\n    keep  s\n", `en/x.txt:2: rule x: says or keeps nothing`},
		{"no place", "slot s\nrule x\n    says a\n    keep s\n", `en: the rules of x have no place in order.txt`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			order := "order rules\n    x\n"
			if tt.name == "no place" {
				order = "order rules\n"
			}
			files := fstest.MapFS{"en/x.txt": {Data: []byte(tt.file)}, "en/order.txt": {Data: []byte(order)}}
			if _, err := readLanguage(files, "en"); err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}
