package sensitive

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func readText(s string) (*table, error) {
	return read(fstest.MapFS{"data/x.txt": {Data: []byte(s)}})
}

// P5a: the table is data: each kind of line does what doc.go says.
func TestTable(t *testing.T) {
	tab, err := readText(`
# a comment
@have = have, has, suffer from
[any]
- film about >
[health]
diabet*, high/low blood pressure, @have ... stroke
- diabetes ward, (a) stroke of
[finances]
earn (about) <n>, ^ broke
~ (?i)\biban ([a-z]{2}\d+)
`)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"diabetic":                           "health",
		"low blood pressure":                 "health",
		"blood pressure":                     "",
		"Suffers... I suffer from a stroke":  "health",
		"I have had, stroke":                 "",
		"one two has a b c d e f g h stroke": "",
		"the diabetes ward":                  "",
		"a stroke of luck, diabetes":         "health",
		"has a stroke of luck":               "",
		"a film about diabetes and diabetes": "",
		"earn 12,000":                        "finances",
		"earn about 三万":                      "finances",
		"earn money":                         "",
		"I am broke":                         "",
		"So. Broke again":                    "finances",
		"IBAN DE89":                          "finances",
	} {
		got := ""
		for _, m := range tab.find(text) {
			got += m.Class
		}
		if got != want {
			t.Errorf("find(%q) = %q, want %q", text, got, want)
		}
	}
}

// A fault in the table is reported with its line.
func TestTableFaults(t *testing.T) {
	for text, want := range map[string]string{
		"diabetes":             "no class",
		"[health]\n@who x":     "no list @who",
		"[health]\n... x":      "does not begin with a word",
		"[health]\n(x)":        "no word",
		"[health]\n~ (":        "missing closing",
		"[any]\ndiabetes":      "exceptions only",
		"[health]\nok\n/ , fe": "empty word",
	} {
		if _, err := readText(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("read(%q): %v, want %q", text, err, want)
		}
	}
}

// P5a: the table has the classes of the specification.
func TestClasses(t *testing.T) {
	got := theTable().classes
	for _, want := range []string{
		"health", "sex life", "belief", "politics", "ethnic origin", "pregnancy", "identity document", "number plate", "account name",
		"birthday", "finances",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no class %q among %q", want, got)
		}
	}
}
