package said

import (
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
)

// Bounds of an overview without a model.
const (
	shownOfType = 12  // items of one type
	shownLong   = 3   // of those whose items are several sentences
	shownLength = 160 // characters of one item
)

// shown is how many items of a type are listed.
func shown(t memory.Type) int {
	if t == memory.TypeEpisode || t == memory.TypeSummary {
		return shownLong
	}
	return shownOfType
}

// Words are the program's own words about the memory, in one language.
type Words struct {
	types                                      map[memory.Type]string
	remember, nothing, heldOne, heldMany, more string
	insteadOf, insteadOfThese                  string
	forgotOne, forgotMany, undoKey, undoAsk    string
	remain, which, this, all                   string
	kept, none, noneOf                         string
	rule, undoneGone, undoneBack, replacedBy   string
	NothingToUndo, UndoOlder, Unclear          string
	backOne, backSession, backMany             string
	Unrecorded, TooLate, HowToForget           string
	sayingOne, sayingMany                      string
}

var (
	englishMemory = Words{
		types: map[memory.Type]string{
			memory.TypePreference:   "Preferences",
			memory.TypeFact:         "Facts",
			memory.TypePattern:      "Habits",
			memory.TypeRelationship: "People",
			memory.TypeGoal:         "Goals",
			memory.TypeRule:         "Rules for answers",
			memory.TypeSummary:      "Summaries",
			memory.TypeEpisode:      "Episodes",
		},
		remember:       "This is what I remember (%d):\n",
		nothing:        "I remember nothing about you yet.\n",
		Unrecorded:     "Nothing from this message is remembered.\n",
		heldOne:        "\n1 more waits for your approval: `memoria inbox list`, or in a chat `/inbox`.\n",
		heldMany:       "\n%d more wait for your approval: `memoria inbox list`, or in a chat `/inbox`.\n",
		more:           "- … and %d more: `memoria memory list`, or in a chat `/memories`\n",
		insteadOf:      "I remember nothing about “%s”. ",
		insteadOfThese: "I remember nothing of that kind. ",
		forgotOne:      "Forgot: %s",
		forgotMany:     "Forgot %d memories:",
		undoKey:        "To undo it within 10 seconds: `/undo`.",
		undoAsk:        "To undo it within 10 minutes: `memoria memory undo --last`.",
		remain: "The messages that said it stay in the history, but are no longer used. " +
			"To erase them too, delete them there: `memoria archive delete`, or in a chat `/archive`.",
		which:         "I remember several things like that. Which one should I forget?\n",
		this:          "Should I forget this memory? (yes/no)\n\n- %s",
		all:           "This forgets everything that I remember: %d memories. Forget all of them? (yes/no)",
		kept:          "Nothing was forgotten.",
		none:          "I remember nothing like “%s”, so nothing was forgotten.",
		noneOf:        "I remember nothing, so nothing was forgotten.",
		rule:          "Rule ended: %s",
		undoneGone:    "Undone, no longer remembered: %s",
		undoneBack:    "Undone, as before: %s",
		replacedBy:    "Replaced: %s → %s",
		NothingToUndo: "There is nothing to undo.",
		UndoOlder: "Your last message changed nothing in the memory, and no deletion can be restored: " +
			"that works for ten seconds, then it is final. To undo an older change: `/undo`, or `memoria memory undo --last`.",
		TooLate: "It is too late for that: a deletion can be undone for ten seconds, then it is final. Nothing was changed.\n",
		HowToForget: "To have one thing forgotten, say it: “forget that I like tea”. For everything: “forget everything about me”; " +
			"I ask before I do that. You can also delete memories one by one: `/memories`, or `memoria memory delete`. " +
			"The messages themselves are deleted in `/archive`, or with `memoria archive delete`.\n",
		sayingOne: "\nOne message in the history says it. It stays there, but is no longer used. " +
			"To erase it too, delete it there: `memoria archive delete`, or in a chat `/archive`.\n",
		sayingMany: "\n%d messages in the history say it. They stay there, but are no longer used. " +
			"To erase them too, delete them there: `memoria archive delete`, or in a chat `/archive`.\n",
		backOne:     "Restored: %s",
		backSession: "Restored: the conversation “%s”",
		backMany:    "Restored: all that was deleted last (memories: %d, conversations: %d, messages: %d)",
		Unclear:     "What is right? Say it in one sentence, such as “I live in Bonn”.",
	}
	chineseMemory = Words{
		types: map[memory.Type]string{
			memory.TypePreference:   "偏好",
			memory.TypeFact:         "事实",
			memory.TypePattern:      "习惯",
			memory.TypeRelationship: "身边的人和事",
			memory.TypeGoal:         "目标",
			memory.TypeRule:         "回答的规则",
			memory.TypeSummary:      "摘要",
			memory.TypeEpisode:      "经历",
		},
		remember:       "我记得的内容（%d 条）：\n",
		nothing:        "我还没有记住关于你的任何事。\n",
		Unrecorded:     "这条消息里的内容不会被记住。\n",
		heldOne:        "\n还有 1 条等待你的确认：`memoria inbox list`，对话中用 `/inbox`。\n",
		heldMany:       "\n还有 %d 条等待你的确认：`memoria inbox list`，对话中用 `/inbox`。\n",
		more:           "- ……还有 %d 条：`memoria memory list`，对话中用 `/memories`\n",
		insteadOf:      "关于“%s”，我什么都不记得。",
		insteadOfThese: "这一类我什么都不记得。",
		forgotOne:      "已忘记：%s",
		forgotMany:     "已忘记 %d 条：",
		undoKey:        "10 秒内可用 `/undo` 撤销。",
		undoAsk:        "10 分钟内可撤销：`memoria memory undo --last`。",
		remain:         "说过这件事的消息仍留在历史里，但不再使用。要连同消息一起删除，请在那里删除：`memoria archive delete`，对话中用 `/archive`。",
		which:          "我记得几件类似的事，要忘记哪一条？\n",
		this:           "要忘记这条记忆吗？（是/否）\n\n- %s",
		all:            "这会忘记我记得的全部内容：%d 条。全部忘记吗？（是/不）",
		kept:           "什么都没有忘记。",
		none:           "我不记得“%s”这样的事，所以什么都没有忘记。",
		noneOf:         "我什么都不记得，所以没有可忘记的。",
		rule:           "规则已取消：%s",
		undoneGone:     "已撤销，不再记得：%s",
		undoneBack:     "已撤销，恢复为：%s",
		replacedBy:     "已更正：%s → %s",
		NothingToUndo:  "没有可以撤销的。",
		UndoOlder: "上一条消息没有改动记忆，也没有可以恢复的删除：删除后十秒内可以恢复，过后就是永久的。" +
			"要撤销更早的改动：`/undo`，或 `memoria memory undo --last`。",
		TooLate: "来不及了：删除后十秒内可以恢复，过后就是永久的。这次什么都没有改动。\n",
		HowToForget: "要忘记一件事，直接说就行，例如“忘掉我喜欢喝茶”。要忘记全部，就说“忘掉关于我的一切”，我会先问你一次。" +
			"也可以一条一条删除：`/memories`，或 `memoria memory delete`。消息本身在 `/archive` 里删除，或用 `memoria archive delete`。\n",
		sayingOne:   "\n历史里有 1 条消息说过这件事，仍留在那里，但不再使用。要一并删除，请在那里删除：`memoria archive delete`，对话中用 `/archive`。\n",
		sayingMany:  "\n历史里有 %d 条消息说过这件事，仍留在那里，但不再使用。要一并删除，请在那里删除：`memoria archive delete`，对话中用 `/archive`。\n",
		backOne:     "已恢复：%s",
		backSession: "已恢复会话“%s”",
		backMany:    "已恢复刚才删除的内容（记忆 %d 条，会话 %d 个，消息 %d 条）",
		Unclear:     "那什么才是对的？请用一句话告诉我，例如“我住在波恩”。",
	}
)

// In returns the words in Chinese or English.
func In(chinese bool) Words {
	if chinese {
		return chineseMemory
	}
	return englishMemory
}

// Paragraph joins lines so that Markdown keeps them apart.
func Paragraph(lines []string) string { return strings.Join(lines, "\n\n") + "\n" }

// Overview lists the memories by kind, in Markdown.
func (w Words) Overview(o learning.Overview, in instruct.Instruction) string {
	var b strings.Builder
	if o.Shown == 0 {
		b.WriteString(w.nothing)
	} else {
		fmt.Fprintf(&b, w.remember, o.Shown)
	}
	for _, g := range o.Groups {
		fmt.Fprintf(&b, "\n**%s (%d)**\n\n", w.types[g.Type], len(g.Items))
		for _, it := range g.Items[:min(len(g.Items), shown(g.Type))] {
			b.WriteString("- " + shortened(it.Content, shownLength) + "\n")
		}
		if rest := len(g.Items) - shown(g.Type); rest > 0 {
			fmt.Fprintf(&b, w.more, rest)
		}
	}
	switch {
	case in.Object != "" || in.Type != "":
	case o.Held == 1:
		b.WriteString(w.heldOne)
	case o.Held > 1:
		fmt.Fprintf(&b, w.heldMany, o.Held)
	}
	return b.String()
}

// Instead begins an overview of everything where nothing is known of what was asked for.
func (w Words) Instead(object string) string {
	if object == "" {
		return w.insteadOfThese
	}
	return fmt.Sprintf(w.insteadOf, oneLine(object))
}

// NotFound is the answer if no memory matches what is to be forgotten.
func (w Words) NotFound(in instruct.Instruction) string {
	if in.Object == "" {
		return w.noneOf + "\n"
	}
	return fmt.Sprintf(w.none, oneLine(in.Object)) + "\n"
}

// Saying tells of the messages that say what no memory holds.
func (w Words) Saying(messages int) string {
	switch messages {
	case 0:
		return ""
	case 1:
		return w.sayingOne
	}
	return fmt.Sprintf(w.sayingMany, messages)
}

// ForgotLines say what was forgotten, a line each.
func (w Words) ForgotLines(f manager.ForgetOutcome) []string {
	if len(f.Items) == 1 {
		return []string{fmt.Sprintf(w.forgotOne, oneLine(f.Items[0].Content))}
	}
	lines := []string{fmt.Sprintf(w.forgotMany, len(f.Items))}
	for _, it := range f.Items[:min(len(f.Items), shownOfType)] {
		lines = append(lines, "- "+oneLine(it.Content))
	}
	if len(f.Items) > shownOfType {
		lines = append(lines, "- …")
	}
	return lines
}

// Forgot is the answer to an instruction to forget. In a conversation that ends with it
// the deletion is undone by a command.
func (w Words) Forgot(f manager.ForgetOutcome, brief bool) string {
	switch {
	case f.Kept, len(f.Items) == 0:
		return w.kept + "\n"
	case f.Asks && f.All:
		return fmt.Sprintf(w.all, f.Total) + "\n"
	case f.Asks && len(f.Items) == 1:
		return fmt.Sprintf(w.this, oneLine(f.Items[0].Content)) + "\n"
	case f.Asks:
		var b strings.Builder
		b.WriteString(w.which + "\n")
		for i, it := range f.Items {
			fmt.Fprintf(&b, "%d. %s\n", i+1, oneLine(it.Content))
		}
		return b.String()
	}
	undo := w.undoKey
	if brief {
		undo = w.undoAsk
	}
	lines := w.ForgotLines(f)
	said := lines[0]
	if len(lines) > 1 {
		said += "\n\n" + strings.Join(lines[1:], "\n")
	}
	out := []string{said, undo}
	if f.Messages > 0 {
		out = append(out, w.remain)
	}
	return Paragraph(slices.DeleteFunc(out, func(s string) bool { return s == "" }))
}

// Ended says that a rule no longer applies.
func (w Words) Ended(it memory.Item) string { return fmt.Sprintf(w.rule, oneLine(it.Content)) }

// Restored says what came back with an undone deletion.
func (w Words) Restored(d write.Deletion) string {
	switch title := oneLine(d.Title); {
	case title != "" && d.Sessions == 0 && d.Items == 1:
		return fmt.Sprintf(w.backOne, title)
	case title != "" && d.Sessions == 1 && d.Items == 0:
		return fmt.Sprintf(w.backSession, title)
	}
	return fmt.Sprintf(w.backMany, d.Items, d.Sessions, d.Messages)
}

// Undone says what an undone change has left.
func (w Words) Undone(c memory.Change) string {
	if c.Item.State == memory.StateInactive {
		return fmt.Sprintf(w.undoneGone, oneLine(c.Item.Content))
	}
	return fmt.Sprintf(w.undoneBack, oneLine(c.Item.Content))
}

// Replaced says what was put right.
func (w Words) Replaced(old, now memory.Item) string {
	return fmt.Sprintf(w.replacedBy, oneLine(old.Content), oneLine(now.Content))
}

// shortened is a text on one line of at most n characters.
func shortened(s string, n int) string {
	if r := []rune(oneLine(s)); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return oneLine(s)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
