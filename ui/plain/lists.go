package plain

import (
	"strconv"
	"strings"

	"memoria/memory"
	"memoria/memory/manager"
)

// pageSize is how many entries of a list are said at once.
const pageSize = 10

// shown are the last lists, whose entries can be named by their numbers.
type shown struct {
	items    []memory.Item
	held     []manager.HeldItem // the items, when they are the inbox
	sessions []memory.Session
	models   []string
	agents   []manager.AgentInfo
}

// number is the entry that a word names, from 0; ok is false when the word is no
// number.
func number(word string) (i int, ok bool) {
	n, err := strconv.Atoi(strings.TrimRight(word, "."))
	return n - 1, err == nil && len(word) < 6
}

// pages says a list page by page. rows may be the beginning of a longer list of
// total entries. then says what can be done with an entry.
func (s *session) pages(rows []string, total int, one, more, then string) {
	var page func(from int)
	page = func(from int) {
		to := min(from+pageSize, len(rows))
		for i, row := range rows[from:to] {
			s.say("%d. %s", from+i+1, row)
		}
		s.next = nil
		switch {
		case to < len(rows):
			s.say("%d to %d of %s; /more goes on; %s", from+1, to, many(total, one, more), then)
			s.next = func() { page(to) }
		case to < total:
			s.say("%d to %d of %s; name some words to see fewer; %s", from+1, to, many(total, one, more), then)
		default:
			s.say("%s in all; %s", many(total, one, more), then)
		}
	}
	page(0)
}

func (s *session) more() {
	if s.next == nil {
		s.say("there is no more")
		return
	}
	s.next()
}
