package plain

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory/manager/write"
	"memoria/ui/app"

	"memoria/chat/model/modeltest"
	"memoria/chat/tools"
	"memoria/memory"
	"memoria/ui/actions"
)

// Line mode runs every action that can be typed there, or does it itself.
func TestEveryActionRuns(t *testing.T) {
	for _, a := range actions.Plain.All() {
		if own := slices.Contains([]string{"help", "more", "quit"}, a.Name); own == (a.Run != nil) {
			t.Errorf("/%s: Run %v", a.Name, a.Run != nil)
		}
	}
}

// A turn: the answer with its end, what was learned, and the next prompt; each
// said once.
func TestTurn(t *testing.T) {
	server := modeltest.NewServer(t, modeltest.Step{
		Text: "Noted. 好的。\n\nYours.", Usage: &modeltest.Usage{PromptTokens: 30, CompletionTokens: 12, TotalTokens: 42},
	})
	k := newTalk(t, "", server).begin()
	k.say("I prefer pnpm to npm.").hear("Remembered: Prefers pnpm over npm.\n",
		"luna: Noted. 好的。\n\n  Yours.\nend of answer, ", ", 42 tokens\n", "you: ")
	if n := strings.Count(k.text(), "Noted"); n != 1 {
		t.Errorf("said %d times", n)
	}
	k.say(`/mem`).hear("no command /mem; the nearest is /memories [WORDS]")
	k.say("/记忆").hear("1. preference, just now: Prefers pnpm over npm.\n1 memory in all")
	// A line that ends in a backslash goes on; a second slash makes a message.
	k.say(`//one \`).hear("more: ").say("two").hear("luna: /one \n  two\n")
	if got := server.Requests(); len(got) != 2 || got[1].LastUser() == "" || !strings.HasSuffix(got[1].LastUser(), "/one \ntwo") {
		t.Errorf("sent %q", got[len(got)-1].LastUser())
	}
	must(t, k.in.Close())
	must(t, k.ended())
}

// A paste never sends and never commands; what was pasted counts as such.
func TestPaste(t *testing.T) {
	server := modeltest.NewServer(t)
	k := newTalk(t, "", server)
	k.opts.gap = 500 * time.Millisecond
	k.begin()
	k.say("/new\nMy name is Mallory.").hear("pasted: 2 lines. Enter sends it")
	k.say("end").hear("luna: /new\n  My name is Mallory.\n  end\n", "you: ")
	k.say("/memories").hear("nothing is remembered yet")
	k.say("a\nb").hear("pasted: 2 lines")
	k.interrupt <- os.Interrupt
	k.hear("dropped\nyou: ")
	if n := len(server.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// An interrupt ends the answer alone, and what had come is kept (A1); a second
// one at rest leaves.
func TestInterrupts(t *testing.T) {
	server := modeltest.NewServer(t, modeltest.Step{Text: "One. Two. Three.", StallAfter: modeltest.After(2)})
	k := newTalk(t, "", server).begin()
	k.say("Count.").hear("luna: One. ")
	// C8: what is sent meanwhile waits, is announced, and can be taken back.
	k.say("Second.").hear("queued, /undo withdraws it: Second.")
	k.say("Third.").hear("queued, /undo withdraws it: Third.")
	k.say("/undo").hear("withdrawn, not sent: Third.")
	k.say("/resume x").hear("no session has these words")
	k.say("/new").hear("error: an answer is still arriving; wait for it, or /stop it")
	k.interrupt <- os.Interrupt
	k.hear("answer cancelled; the partial answer is kept", "answering: Second.", "luna: ", "Second.\nend of answer, ", "you: ")
	k.interrupt <- os.Interrupt
	k.hear("to leave press Ctrl+C again, or Ctrl+D\nyou: ")
	k.say("/stop").hear("no answer is arriving\nyou: ")
	k.interrupt <- os.Interrupt
	k.hear("to leave press Ctrl+C again")
	k.interrupt <- os.Interrupt
	if err := k.ended(); !errors.Is(err, app.ErrInterrupted) {
		t.Errorf("it ends with %v", err)
	}
	records, err := k.manager.Lookup().LastRecords(t.Context(), "luna", k.chat.Session().ID, 4)
	must(t, err)
	if r := records[1]; r.Content != "One. Two. " || r.Status != memory.StatusCancelled {
		t.Errorf("kept %q, %s", r.Content, r.Status)
	}
}

// Something else that is said in the middle of an answer stands on lines of its
// own; the end of the input waits for the answer.
func TestAsideAndEnd(t *testing.T) {
	hold := make(chan struct{})
	server := modeltest.NewServer(t, modeltest.Step{Text: "One. Two. Three.", HoldAfter: modeltest.After(2), Hold: hold})
	k := newTalk(t, "", server).begin()
	k.say("Count.").hear("luna: One. ")
	k.say("/stop now").hear("nothing can stand after /stop")
	must(t, k.in.Close())
	k.hear("leaving after this answer; Ctrl+C ends it now\n")
	close(hold)
	k.hear("luna goes on: ", "Three.\nend of answer, ")
	must(t, k.ended())
}

// A failure is said with its hint, and the message can be asked again.
func TestFailureAndRetry(t *testing.T) {
	server := modeltest.NewServer(t, modeltest.Step{Status: 401}, modeltest.Step{Text: "Now it works."})
	k := newTalk(t, "", server).begin()
	k.say("Hello.").hear("error: The model server refused the key. ", "Check the key", "answer incomplete; /retry to retry\nyou: ")
	k.say("/retry").hear("luna: Now it works.\nend of answer, ", "you: ")
	k.say("/retry").hear("error: every message has its answer")
	k.say("/repeat").hear("luna: Now it works.\n")
}

// Memories: listed in pages, shown, explained, edited, deleted with a question
// and taken back (L6, D2, D3).
func TestMemories(t *testing.T) {
	server := modeltest.NewServer(t)
	k := newTalk(t, "", server)
	for i := range 12 {
		_, err := k.manager.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "Note number " + string(rune('a'+i)) + ".", Tags: []string{"old"}})
		must(t, err)
	}
	k.begin()
	k.say("I prefer pnpm to npm.").hear("Remembered: ", "you: ")
	k.say("/memories").hear("1. preference, just now: Prefers pnpm", "10. fact", "1 to 10 of 13 memories; /more goes on", "you: ")
	k.say("/more").hear("11. fact", "13. fact, just now: Note number a.\n13 memories in all", "you: ")
	k.say("/more").hear("there is no more")
	k.say("/show 13").hear("fact: Note number a.\n", "tags: old", "used: in no answer yet", "/why 1")
	k.say("/why pnpm").hear("in “I prefer pnpm to npm.”: I prefer pnpm to npm\n", "the whole message: I prefer pnpm to npm.\n",
		"added (in a conversation): ")
	k.say("/edit note").hear("1. fact", "/edit NUMBER says which", "you: ")
	k.say("/edit 12").hear("it says: Note number a.", "new text: ")
	k.say("Drinks 绿茶.").hear("type, now fact: ").say("drink").hear("the types are preference, ", "type, now fact: ").say("Preference")
	k.hear("tags, now old: ").say("茶，drinks").hear("changed: Drinks 绿茶., preference, tags 茶, drinks\nyou: ")
	k.say("/edit 绿茶").hear("new text: ").say("").hear("type").say("").hear("tags").say("").hear("nothing was changed")
	k.say("/delete 绿茶").hear("delete for good: Drinks 绿茶.\nyes or no: ").say("no").hear("nothing was deleted")
	k.say("/delete 绿茶").hear("yes or no: ").say("/health").hear("nothing was deleted\n13 memories, 2 messages, 1 session\n",
		"items index: ready")
	k.say("/delete 绿茶").hear("yes or no: ").say("是").hear("deleted, /undo restores it for 10 seconds: Drinks 绿茶.")
	k.say("/memories 绿茶").hear("no memory has these words")
	k.say("/undo").hear("restored: Drinks 绿茶.")
	k.say("/memories 绿茶").hear("1 memory in all")
	k.say("/delete 1").hear("yes or no: ").say("yes").hear("deleted")
	k.wait(write.DeletionUndoTime)
	k.say("/undo").hear("error: Too late to undo.")
	k.say("/delete 99").hear("error: the last list has")
	k.say("/add Lives in 杭州.").hear("Remembered: Lives in 杭州.")
	k.say("/undo").hear("undone, no longer remembered: Lives in 杭州.") // P9: the last change
}

// What a text would recall and what a turn recalled, with the parts of the score
// in words (R8); what was sent, layer by layer (C5).
func TestRecallAndContext(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t, modeltest.Step{Text: "Tea."}))
	_, err := k.manager.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "Likes oolong tea.", Type: memory.TypePreference})
	must(t, err)
	must(t, k.manager.Recall().Settle(t.Context(), "luna"))
	k.begin()
	k.say("/recall").hear("/recall TEXT says")
	k.say("/context").hear("no turn of this session was sent")
	k.say("/working").hear("there is no working memory")
	k.say("/recall oolong tea").hear("this would recall 1 of 1 memory\n1. preference, just now: Likes oolong tea.\n"+
		"   because of the words oolong, tea, recent; score ", ": words 0.", ", kind 0.", ", recent 0.15, used 0.00, sure 0.15\n")
	k.say("/recall zebra").hear("this would recall nothing of 1 memory\n")
	k.say("Which oolong tea?").hear("luna: Tea.\n", "you: ")
	k.say("/recall").hear("1. sent: preference, just now: Likes oolong tea.", "because of the words oolong, tea", "score ")
	k.say("/context").hear("turn 1 of 1, 2026-01-28 12:00\nsent to scripted at 127.0.0.1:", "byte for byte what was sent",
		"% of the context: instructions ",
		"layer 1: instructions, as system", "memories, as ", "message, as user", "1. sent: preference", "/more says the first layer's text")
	k.say("/more").hear("layer 1 of ", "instructions").say("/more").hear("layer 2 of ")
	k.say("/context 2").hear("error: this session has the turns 1 to 1")
	k.say("/why 1").hear("it comes from no message")
	k.say("/working").hear("topic: ", "turns: 1")
}

// A2, A3, D3: after an answer its sources are said; each can be heard in full, with
// what was learned from it.
func TestProof(t *testing.T) {
	k := newTalk(t, "", nil).begin()
	k.say("/proof").hear("nothing that was remembered went with the last answer")
	k.say("Hello. I prefer pnpm to npm.").hear("Remembered: ", "you: ")
	k.wait(48 * time.Hour)
	k.say("Which of npm and pnpm do I prefer?").hear("Prefers pnpm", "end of answer", "you: ")
	if said := k.text(); strings.Contains(said, "source 1") {
		t.Errorf("an answer from memory says sources:\n%s", said)
	}
	k.say("/证据").hear("1. a memory, 2026-01-28 12:00: Prefers pnpm")
	k.say("Why did you know that?").hear("> I prefer pnpm to npm.", "end of answer",
		"source 1, you, 2026-01-28 12:00: I prefer pnpm to npm.\n", "/proof and a number", "you: ")
	k.say("/proof 2").hear("error: the last answer has the sources 1 to 1")
	k.say("/proof 1").hear("said 2026-01-28 12:00, in “Hello. I prefer pnpm to npm.”: I prefer pnpm to npm.\n",
		"the whole message: Hello. I prefer pnpm to npm.\n", "learned from it, 1. preference, 2 days ago: Prefers pnpm")
	k.say("/context").hear("the archive was looked into: the message asks for proof, about the answer before")
}

// Sessions: new, listed, found, renamed, resumed (S9a, S10), deleted and taken
// back (D2).
func TestSessions(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t)).begin()
	k.say("/sessions").hear("there is no session yet")
	k.say("/rename x").hear("this session begins with its first message")
	k.say("About 部署 to Fly.").hear("end of answer", "you: ")
	k.say("/rename Deploying").hear("this session is now: Deploying\nyou: ")
	k.say("/new").hear("new session with the next message\nyou: ")
	k.say("I like oolong tea.").hear("Remembered: Likes oolong tea.", "you: ")
	if n := strings.Count(k.text(), "new session"); n != 1 {
		t.Errorf("said %d times that there is a new session", n)
	}
	k.wait(2 * time.Hour)
	k.say("/会话").hear("1. I like oolong tea., 1 turn, last 2 hours ago, this one\n2. Deploying, 1 turn", "2 sessions in all", "you: ")
	k.say("/归档 部署 today").hear("time: ", "1. ", ", in Deploying: About 部署 to Fly.\n", "/resume and a number goes to its session")
	k.say("/archive nowhere").hear("no message is like that")
	k.say("/sessions 部署").hear("1. Deploying, 1 turn, last 2 hours ago: About 部署 to Fly.\n1 session in all")
	k.say("/resume 部署").hear("continued: Deploying, 1 turn, last 2 hours ago\nyou: ")
	k.say("/repeat").hear("luna: About 部署 to Fly.\n")
	k.say("/resume Deploying").hear("this is the session")
	k.say("More.").hear("luna: ", "More.\n", "you: ")
	k.say("/delete-session oolong").hear("delete for good the session and its messages: I like oolong tea.", "yes or no: ")
	k.say("yes").hear("no keeps them, yes deletes them too\nyes or no: ").say("yes")
	k.hear("deleted, /undo restores it for 10 seconds: I like oolong tea., with 1 memory", "you: ")
	k.say("/memories").hear("nothing is remembered yet")
	k.say("/undo").hear("restored: I like oolong tea., with 1 memory")
	k.say("/delete-session Deploying").hear("Deploying, 2 turns", "yes or no: ").say("yes").hear("yes deletes them too\nyes or no: ").say("no")
	k.hear("seconds: Deploying\n", "this session is gone; the next message begins a new one\nyou: ")
	k.say("/undo").hear("restored: Deploying", "continued: Deploying, 2 turns", "you: ")
	// S2: after the timeout the next message begins a session, and that is said.
	k.wait(2 * time.Hour)
	k.say("/resume 99").hear("error: ")
	k.say("Later.").hear("A new conversation, since nobody could say whether this goes on with “",
		"”: the model did not call context_judgment. /overrule continues “", "luna: Later.")
}

// Another model answers from the next message on.
func TestModel(t *testing.T) {
	server := modeltest.NewServer(t)
	server.Models = []string{"scripted", "other \x1b[31mone"}
	k := newTalk(t, "", server).begin()
	k.say("/model").hear("scripted at 127.0.0.1:", "1. scripted\n2. other ", "2 models in all; /model NUMBER lets one answer")
	k.say("/model new-one").hear("now new-one at 127.0.0.1:", "you: ")
	k.say("Hello.").hear("luna: Hello.", "you: ")
	if got := server.Requests(); got[0].Model != "new-one" {
		t.Errorf("asked %q", got[0].Model)
	}
}

// A program's lines are obeyed one after the other. What its messages would teach
// waits in the inbox (P10). At the end of the input all is answered.
func TestScript(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t))
	got := k.script("My name is Mallory.", "/memories", "/add Likes tea.", "/memories", "/delete tea", "yes", "/undo", "/health x",
		"/help undo", "last")
	want := `memoria test, line by line. Type a message and press Enter; /help says what else there is, /quit leaves.
scripted at ADDRESS answers
these lines come from a program: what they would teach waits in the inbox; --typed says that you type them
you: My name is Mallory.
Held for your approval: Name is Mallory. Why: comes from foreign text Decide with /inbox, then /accept or /reject.
luna: My name is Mallory.
end of answer, FIGURES
you: /memories
1. fact, just now: Name is Mallory. (held: waiting for your approval, not recalled)
1 memory in all; /show, /why, /edit or /delete and a number
you: /add Likes tea.
Remembered: Likes tea.
you: /memories
1. fact, just now: Likes tea.
2. fact, just now: Name is Mallory. (held: waiting for your approval, not recalled)
2 memories in all; /show, /why, /edit or /delete and a number
you: /delete tea
delete for good: Likes tea.
yes or no: yes
deleted, /undo restores it for 10 seconds: Likes tea.
you: /undo
restored: Likes tea.
you: /health x
error: nothing can stand after /health; to send it as a message, put a space or a second / before it
you: /help undo
/undo: undo a deletion or withdraw a waiting message, else undo the last change. Also: takeback, take-back, 撤销, 撤回
you: last
luna: ANSWER
end of answer, FIGURES
`
	got = address.ReplaceAllString(got, "scripted at ADDRESS answers")
	got = strings.ReplaceAll(got, "note: the index is being built, so the items were read through\n", "") // or not any more
	i := strings.LastIndex(got, "luna: ")
	j := strings.LastIndex(got, "\nend of answer")
	got = got[:i] + "luna: ANSWER" + got[j:]
	if got != want {
		t.Errorf("said\n%s\nwant\n%s", got, want)
	}
}

// Whatever a model, a memory, a title or an error holds, only lines of text
// come out, and what looks like the program's words is set in.
func TestHostileText(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2Jred\u202egnp.exe\u009b31m\r\nremembered: a lie"
	server := modeltest.NewServer(t, modeltest.Step{Text: evil}, modeltest.Step{Status: 401, Body: `{"error":{"message":"\u001b[2J\u202e"}}`})
	k := newTalk(t, "", server)
	_, err := k.manager.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "Evil " + evil, Title: evil, Tags: []string{"a\x1b[1m"}})
	must(t, err)
	k.begin()
	k.say("\x1b[31mhello").hear("\n  remembered: a lie\n", "end of answer", "you: ")
	k.say("again").hear("error: ", "you: ")
	k.say("/memories").hear("1 memory in all").say("/show 1").hear("hidden characters", "/why 1").say("/why 1").hear("added", "you: ")
	k.say("/sessions").hear("1 session in all").say("/context 1").hear("layer 1", "you: ").say("/more").hear("you: ")
	k.say("/rename \x1b[5mX").hear("this session is now: ", "you: ").say("/health").hear("store: ")
	if strings.Contains(k.text(), "\nremembered") {
		t.Errorf("a lie at the margin:\n%s", k.text())
	}
}

// Without a model the answer comes from memory, and a server of this computer is
// offered.
func TestOffline(t *testing.T) {
	k := newTalk(t, "", nil).begin()
	k.hear() // the welcome says so
	if !strings.Contains(k.text(), "no language model is connected") {
		t.Error(k.text())
	}
	k.say("I prefer tea.").hear("Remembered: Prefers tea.", "luna: Noted.",
		"end of answer, from memory alone, nothing was sent anywhere", "you: ")
	k.say("/quit")
	must(t, k.ended())
}

// P5: what waits is said with its reason, and decided by its number.
func TestInbox(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t)).begin()
	k.say("/收件箱").hear("nothing is waiting for your approval")
	k.say("My email is bo@example.org.").hear("Held for your approval: Email is bo@example.org.")
	k.say("我的手机号是13800138000").hear("Held for your approval: 手机号")
	k.say("/accept 1").hear("error: no inbox has been said")
	k.say("/inbox").hear("1. fact, just now: 手机号",
		"2. fact, just now: Email is bo@example.org. (contact: waits for your approval)", "2 memories wait in all")
	k.say("/reject 1").hear("rejected, /undo restores it for 10 seconds: 手机号")
	k.say("/undo").hear("restored: 手机号")
	k.say("/inbox").hear("2 memories wait in all")
	k.say("/accept 3").hear("error: the inbox has the numbers 1 to 2")
	k.say("/accept x").hear("error: /accept needs a number of the inbox")
	k.say("/accept all").hear("accept all 2 of the inbox", "yes or no: ").say("no").hear("nothing was accepted")
	k.say("/accept all").hear("yes or no: ").say("yes").hear("accepted: Email is bo@example.org.", "accepted: 手机号")
	k.say("/accept 1").hear("it does not wait in the inbox")
	k.say("/inbox").hear("nothing is waiting for your approval")
	must(t, k.in.Close())
	must(t, k.ended())
}

// I2, I5: the model's searches are said between the parts of its answer, the switch
// says what holds, and what went to the model has them.
func TestSearches(t *testing.T) {
	server := modeltest.NewServer(t,
		modeltest.Step{Text: "Let me look.", ToolCalls: []modeltest.ToolCall{{Name: tools.Search, Arguments: `{"keyword": "kiln"}`}}},
		modeltest.Step{Text: "Mara did."})
	k := newTalk(t, "", server)
	if _, err := k.manager.Learning().AddItem(t.Context(), "luna", memory.Item{Content: "Mara fixed the kiln"}); err != nil {
		t.Fatal(err)
	}
	must(t, k.manager.Recall().Settle(t.Context(), "luna"))
	k.begin()
	k.say("/search-tool").hear("and cannot search\nyou: ")
	k.say("/search-tool perhaps").hear("error: say on or off\nyou: ")
	k.say("/自动检索 on").hear("may search your memories by itself, with the tool search_memories\nyou: ")
	k.say("Who repaired it?").hear("luna: Let me look.\nsearched memories: \"kiln\" · 1 found\nluna: Mara did.\nend of answer, ", "you: ")
	k.say("/context").hear("the text is byte for byte", "request 2: after search_memories {\"keyword\": \"kiln\"}, 1 hit\n", "you: ")
	k.say("/more").hear("layer 1 of 3", "you: ")
	k.say("/more").hear("layer 2 of 3", "you: ")
	k.say("/more").hear("layer 3 of 3", "/more says what the model got for its calls\nyou: ")
	k.say("/more").hear("call 1 of 1, search_memories", "Mara fixed the kiln")
	k.say("/new").hear("new session with the next message")
	k.say("/new").hear("this session is new; it begins with the next message\nyou: ")
}

// W5: the profile is said line by line, edited by number, and its versions undone.
func TestProfile(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t)).begin()
	k.say("/profile").hear("your profile is empty", "you: ")
	k.say("I live in Paris.").hear("Remembered: Lives in Paris.", "you: ")
	k.say("/画像").hear("background:\n1. Lives in Paris. (follows memory ", "version 1, about ", "you: ")
	k.say("/profile 2").hear("error: the profile has the numbers 1 to 1")
	k.say("/profile nonsense").hear("error: /profile says the page")
	k.say("/profile add").hear("1. reply style", "section, 1 to 3: ").say("1")
	k.hear("the line: ").say("No riddles")
	k.hear("saved as version 2 of the profile\nin: reply style: No riddles\nyou: ")
	k.say("/profile 2").hear("it says: Lives in Paris.", "new text: ").say("Lives in Paris, 11e")
	k.hear("out: background: Lives in Paris.\nin: background: Lives in Paris, 11e\n")
	k.say("/profile").hear("2. Lives in Paris, 11e (yours)")
	k.say("/profile 1").hear("new text: ").say("-")
	k.hear("saved as version 4", "out: reply style: No riddles")
	k.say("/profile undo").hear("undone: version 4 of the profile, as version 5\nin: reply style: No riddles")
	k.say("/profile history").hear("version 5, ", ": version 4 undone by the user", "version 4, ", "edited by the user, undone",
		"memory added (in a conversation)", "5 of 5 versions")
	k.say("/profile 1").hear("new text: ").say("").hear("nothing was changed")
	k.say("/profile add").hear("section, 1 to 3: ").say("9").hear("nothing was added")
}

// P9: an older change is named and asked about before it is undone; what the last turn taught
// is undone at once.
func TestUndoAsksBeforeAnOlderChange(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t)).begin()
	k.say("I like oolong tea.").hear("Remembered: Likes oolong tea.", "you: ")
	k.say("I like green pears.").hear("Remembered: Likes green pears.", "you: ")
	k.say("/undo").hear("undone, no longer remembered: Likes green pears.", "you: ")
	k.say("/undo").hear("Undo the last change, to “Likes oolong tea.”?", "yes or no: ").say("no").hear("left as it was", "you: ")
	k.say("/memories").hear("Likes oolong tea.", "you: ")
	k.say("/undo").hear("yes or no: ").say("yes").hear("undone, no longer remembered: Likes oolong tea.")
}
