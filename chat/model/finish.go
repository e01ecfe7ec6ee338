package model

import (
	"fmt"
	"strings"
)

// finished are the finish reasons for a whole answer (K8), in lower case and without dashes, blanks and
// underscores. Any other reason means that something else ended it.
var finished = map[string]bool{
	"stop": true, "stopped": true, "stopsequence": true, "endturn": true, "endofturn": true, "eos": true, "eostoken": true,
	"end": true, "ended": true, "done": true, "complete": true, "completed": true, "finish": true, "finished": true, "normal": true,
	"toolcalls": true, "toolcall": true, "tooluse": true, "functioncall": true,
}

// cutShort are the finish reasons for a length limit, withheld those for a filter.
var (
	cutShort = map[string]bool{
		"length": true, "maxtokens": true, "maxoutputtokens": true, "modellength": true, "maxlength": true, "contextlength": true,
	}
	withheld = map[string]bool{
		"contentfilter": true, "safety": true, "recitation": true, "blocklist": true, "prohibitedcontent": true, "refusal": true,
		"sensitive": true,
	}
)

var plainReason = strings.NewReplacer("_", "", "-", "", " ", "", ".", "")

func isReason(table map[string]bool, reason string) bool {
	return table[plainReason.Replace(strings.ToLower(strings.TrimSpace(reason)))]
}

// Complete reports whether the answer is not empty and the server marked it as whole (K8).
func (r Reply) Complete() bool {
	return isReason(finished, r.FinishReason) && (strings.TrimSpace(r.Text) != "" || len(r.ToolCalls) > 0)
}

// shortfall returns why an ended answer is missing or not whole, or nil if it is whole.
func (r Reply) shortfall() *Error {
	switch {
	case r.Complete():
		return nil
	case isReason(cutShort, r.FinishReason):
		return newError(KindLength, "the answer reached the limit on its length")
	case isReason(withheld, r.FinishReason):
		return newError(KindFiltered, "the provider's filter ended the answer")
	case !isReason(finished, r.FinishReason):
		return newError(KindIncomplete, fmt.Sprintf("the server ended the answer with %q", shown(r.FinishReason)))
	case r.Reasoning != "":
		return newError(KindEmpty, "the model thought, and then answered nothing")
	}
	return newError(KindEmpty, "the model answered nothing")
}

// shown shortens a server's word to one line for people.
func shown(reason string) string {
	const most = 40
	r := []rune(strings.ToValidUTF8(reason, "\uFFFD"))
	return string(r[:min(len(r), most)])
}
