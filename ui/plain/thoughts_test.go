package plain

import (
	"strings"
	"testing"

	"memoria/chat/model/modeltest"
)

// C9: line mode says that the model thinks, does not read its thoughts out, and says them when it is asked to.
func TestThoughtsAreNotReadOut(t *testing.T) {
	server := modeltest.NewServer(t,
		modeltest.Step{Reasoning: "A xylophone, perhaps.", Text: "Tea."},
		modeltest.Step{Text: "Well. A cello, perhaps.\n</think>\n\nCoffee.", Deltas: 8},
		modeltest.Step{Text: "Water."})
	k := newTalk(t, "", server).begin()
	k.say("/thoughts").hear("there is no answer yet")
	k.say("One").hear("luna is thinking; /thoughts says what, once the answer is there\n", "luna: Tea.\nend of answer, ", "you: ")
	if strings.Contains(k.text(), "xylophone") {
		t.Error("the thought was read out")
	}
	k.say("/thoughts").hear("luna thought, 21 characters: A xylophone, perhaps.")
	k.say("Two").hear("luna: Coffee.\nend of answer, ", "you: ")
	k.say("/思考").hear("A cello, perhaps.")
	k.say("Three").hear("luna: Water.\n", "you: ")
	k.say("/thoughts").hear("the last answer came without what the model thought")
	must(t, k.in.Close())
	must(t, k.ended())
}
