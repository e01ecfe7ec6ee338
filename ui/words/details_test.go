package words

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"memoria/memory"
)

// L1, P6: the details of a memory are in the language of the screen: its key, the rule that made it,
// and its provenance by name. What the user said stays.
func TestDetailsInChinese(t *testing.T) {
	it := memory.Item{
		ID: "01ABC", Key: "home", Value: json.RawMessage(`{"value":"上海"}`), Title: "住处", Type: memory.TypeFact,
		Source: memory.SourceUserStated, Trust: memory.TrustUser, Version: 1,
		Metadata: memory.ItemMetadata{Rule: "home", WouldEnd: true, StillTrue: "2026-01"},
	}
	latin := regexp.MustCompile(`[A-Za-z]+`)
	for _, f := range (Words{Chinese}).MemoryFields(it, time.UTC) {
		if found := latin.FindAllString(strings.ReplaceAll(f.Name+" "+f.Said, "01ABC", ""), -1); len(found) > 0 && f.Name != "ID" {
			t.Errorf("%s: %s has %q", f.Name, f.Said, found)
		}
		if f.Said == `{"value":"上海"}` {
			t.Errorf("%s: %s", f.Name, f.Said)
		}
	}
	for key, want := range map[string]string{
		"job/employer": "公司", "language/Deutsch": "会的语言：Deutsch", "relation/wife/status": "身边的人：wife/status", "own-key": "own-key",
	} {
		if got := (Words{Chinese}).slot(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
		if got := (Words{}).slot(key); got != key {
			t.Errorf("%s is %q in English", key, got)
		}
	}
}
