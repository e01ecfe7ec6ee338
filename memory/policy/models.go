package policy

import (
	_ "embed" // the models
	"encoding/json"
	"strings"
	"sync"

	"memoria/memory/classify"
)

// Classes of the examples in which users tell something of themselves, or say how they want to be answered.
const (
	Telling = "self"
	ruling  = "rule"
	// smallTalk is the class of what is said for the moment.
	smallTalk = "talk"
)

// Nothing is the class of the examples of pieces that teach nothing; the others are the types of what they teach.
const Nothing = "none"

// The models as text, which they share.
var (
	//go:embed data/groups.txt
	groupsText string
	//go:embed data/messages.txt
	messagesText string
	//go:embed data/pieces.txt
	piecesText string
)

// Lexicon returns the groups of words of data/groups.txt.
var Lexicon = sync.OnceValue(func() *classify.Lexicon {
	l, err := classify.ReadLexicon(strings.NewReader(groupsText))
	if err != nil {
		panic("policy: " + err.Error()) // it is embedded
	}
	return l
})

var (
	gists  = model("messages.txt", &messagesText)
	shares = model("pieces.txt", &piecesText)
)

// model reads a model of data/ once.
func model(name string, text *string) func() *classify.Model {
	return sync.OnceValue(func() *classify.Model {
		m, err := classify.Parse(*text, Lexicon())
		if err != nil {
			panic("policy: " + name + ": " + err.Error()) // it is embedded
		}
		return m
	})
}

// ReadExamples reads examples for the model of messages, with their signs. An example that is marked as known gets none:
// rules were written for its writer, and read him better than anybody else.
func ReadExamples(path string) (out []classify.Example, err error) {
	err = classify.ReadLines(path, func(line []byte) error {
		var e struct {
			classify.Example
			Known bool
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		if !e.Known {
			r := newReader(e.Text)
			r.read()
			e.Signs = r.signs()
		}
		out = append(out, e.Example)
		return nil
	})
	return out, err
}
