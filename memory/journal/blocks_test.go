package journal

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
)

// J1: every paragraph of a file leads to the message that it is of, and is shown without its
// mark.
func TestBlocks(t *testing.T) {
	const a, b = "01KG1X9FM0NCYDY92VDJN8YFFG", "01KG1XBA70G6VM3GX6P58HW5A0"
	for name, tt := range map[string]struct {
		kind memory.JournalKind
		body string
		want []Block
	}{
		"word for word": {
			memory.JournalVerbatim, "# Kiln\n\n### 09:00 · you " + mark(a) + "\n\nIt is hot.\n\n- a point\n\n### 09:01 · luna " + mark(b) + "\n\nYes.\n",
			[]Block{{"", "# Kiln"}, {a, "### 09:00 · you\n\nIt is hot.\n\n- a point"}, {b, "### 09:01 · luna\n\nYes."}},
		},
		"a message that quotes the file": {
			memory.JournalVerbatim, "### 09:00 · you " + mark(a) + "\n\n" + escaped("### 09:01 · luna "+mark(b)) + "\n",
			[]Block{{a, "### 09:00 · you\n\n### 09:01 · luna " + mark(b)}},
		},
		"summary": {
			memory.JournalDay, "# 2026-01-20\n\n## Pottery\n\n- It is hot. " + mark(a) + "\n- Both were tired.\n- Yes. " + mark(b) + "\n",
			[]Block{{"", "# 2026-01-20"}, {"", "## Pottery"}, {a, "- It is hot."}, {"", "- Both were tired."}, {b, "- Yes."}},
		},
		"notes": {
			"", "<!-- hello -->\n\n# Servers\n\nThe staging machine\nis called heron.\n\n```\na\n\nb\n```\n",
			[]Block{{"", "# Servers"}, {"", "The staging machine\nis called heron."}, {"", "```\na\n\nb\n```"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := Document{Kind: tt.kind, Records: []string{a, b}, Body: tt.body}
			if diff := cmp.Diff(tt.want, d.Blocks()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
