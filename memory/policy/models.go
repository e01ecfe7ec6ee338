package policy

import (
	_ "embed" // the models
	"encoding/json"

	"memoria/memory/classify"
)

// Classes of examples in which users tell something about themselves, or how they want to be answered.
const (
	Telling = "self"
	ruling  = "rule"
	// smallTalk is the class of momentary remarks.
	smallTalk = "talk"
)

// Nothing is the class of pieces that teach nothing; the other classes are item types.
const Nothing = "none"

// The models as text.
var (
	//go:embed data/groups.txt
	groupsText string
	//go:embed data/messages.txt
	messagesText string
	//go:embed data/pieces.txt
	piecesText string
)

// Lexicon returns the word groups of data/groups.txt.
var Lexicon = classify.EmbeddedLexicon(&groupsText)

var (
	gists  = classify.EmbeddedModel(&messagesText, Lexicon)
	shares = classify.EmbeddedModel(&piecesText, Lexicon)
)

// ReadExamples reads examples for the model of messages, with their features. An example marked as known has
// none: rules were written for its author, so they match unusually well.
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
