package plain

import (
	"strings"
	"testing"
	"time"

	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// I5, D2: line by line too, one goes to another agent, whose conversation knows
// nothing of the one before; makes, edits and deletes agents.
func TestAgents(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t))
	_, err := k.manager.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "Likes oolong tea", Type: memory.TypeFact})
	must(t, err)
	k.begin()
	k.say("more about oolong")
	k.hear("more about oolong", "you: ")
	k.say("/add-agent 露娜")
	k.hear("made: 露娜; /agent agent-1 talks to it")
	k.say("/agents")
	k.hear("1. luna: 1 stored memory, 1 session", "you are talking to it", "2. 露娜 (agent-1): 0 stored memories, 0 sessions", "2 agents")
	k.say("/agent 2")
	k.hear("you are talking to 露娜; scripted at")
	from := len(k.text())
	k.say("/memories")
	k.hear("nothing is remembered yet")
	k.say("/edit-agent persona You are bright.")
	k.hear("changed; it counts from the next message on")
	k.say("/edit-agent name Nova")
	k.hear("changed; it counts")
	k.say("/edit-agent age 7")
	k.hear("error: say one of name, persona, model, color")
	k.say("/edit-agent")
	k.hear("name: Nova", "model: none", "has: nothing but its description", "persona: You are bright.")
	k.say("hello there")
	k.hear("Nova: ", "you: ")
	if strings.Contains(k.text()[from:], "oolong") {
		t.Errorf("luna's words come up at another agent:\n%s", k.text()[from:])
	}
	k.say("/agent 1") // the numbers of the list hold also behind a change of the agent
	k.hear("you are talking to luna", "continued: ")
	k.say("/agent 2")
	k.hear("you are talking to Nova", "continued: ")
	k.say("/delete-agent")
	k.hear("delete for good: the agent Nova with 1 session, 2 messages", "yes or no: ")
	k.say("yes")
	k.hear("you are talking to luna", "continued: ", "deleted, /undo restores it for 10 seconds: the agent Nova")
	k.say("/undo")
	k.hear("you are talking to Nova", "restored: the agent Nova")
	k.say("/agent luna")
	k.hear("you are talking to luna")
	k.say("/delete-agent agent-1")
	k.hear("yes or no: ")
	k.say("yes")
	k.hear("deleted, /undo restores it")
	k.wait(11 * time.Second)
	k.say("/undo")
	k.hear("Too late to undo")
	k.say("/agent nobody")
	k.hear("Not found")
	k.say("/quit")
}
