package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// R3a: the character folding is closed, and characters that fold to themselves are left out.
func TestReadPairs(t *testing.T) {
	pairs, err := readPairs(write(t, "ts", "# a comment\n\n甲\t乙 丙\n乙\t丁\n戊\t戊 己\n庚\t辛\n辛\t庚\n"))
	if err != nil {
		t.Fatal(err)
	}
	if pairs['甲'] != '丁' || pairs['乙'] != '丁' || pairs['妳'] != '你' {
		t.Errorf("pairs: %c", pairs)
	}
	if to, ok := pairs['戊']; ok {
		t.Errorf("戊 folds to %c", to)
	}
	if _, err := readPairs(write(t, "bad", "甲乙\n")); err == nil || !strings.Contains(err.Error(), "not a pair") {
		t.Errorf("a broken line gives %v", err)
	}
}

func TestReadWords(t *testing.T) {
	words, err := readWords(write(t, "dict", "資料 12 n\n资料 40 n\n少见 9 n\nT恤 50 n\n只有词\n"), map[rune]rune{'資': '资'})
	if err != nil {
		t.Fatal(err)
	}
	if words["资料"] != 40 || words["機器"] != 0 || words["前端"] < extraFrequency {
		t.Errorf("words: %v", words)
	}
	for _, w := range []string{"資料", "少见", "T恤", "只有词"} {
		if words[w] != 0 {
			t.Errorf("%s is in", w)
		}
	}
	if _, err := readWords(write(t, "bad", "词 many n\n"), nil); err == nil {
		t.Error("a frequency that is no number is taken")
	}
}

// Three nodes for 好 and 好的人: the numbers follow from the layout in dict.go of package text.
func TestPackTrie(t *testing.T) {
	b := packTrie(map[string]int{"好": 100, "好的人": 10})
	if n := binary.LittleEndian.Uint32(b); n != 3 {
		t.Fatalf("%d nodes", n)
	}
	tables := b[8+2*hanCount:]
	if len(tables) != 3*(2+1+3)+3 {
		t.Fatalf("tables of %d bytes", len(tables))
	}
	weights, first := tables[6:9], tables[9:]
	if weights[0] != 255 || weights[1] != 0 || weights[2] != 128 {
		t.Errorf("weights %v", weights)
	}
	for i, want := range []byte{1, 2, 3, 3} {
		if first[3*i] != want {
			t.Errorf("first child of node %d is %d, want %d", i, first[3*i], want)
		}
	}
}
