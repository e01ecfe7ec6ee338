package said

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
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
	remain, which, this, all, these, vague     string
	kept, none, noneOf                         string
	rule, undoneGone, undoneBack, replacedBy   string
	NothingToUndo, UndoOlder, Unclear          string
	backOne, backSession, backMany             string
	Unrecorded, TooLate, HowToForget           string
	NothingToKeep, undoNamed                   string
	sayingOne, sayingMany                      string
	takeBacks
	asides
}

// takeBacks are the answers about messages that are kept out of the memory.
type takeBacks struct {
	outOne, outMany, outAlready, outNone string
	outTaught, outAsked, outLeft         string
	WhichMessage, onlyOne, onlyMany      string
}

// asides are the answers to questions and remarks about the memory that change nothing.
type asides struct {
	Standing, Resumed, NeverMind           string
	yesOrNo                                string
	NothingDeleted, SayRight, sayForget    string
	Paused, NotPaused                      string
	trash, trashMany, trashEmpty           string
	inbox, inboxEmpty, inboxMore, inboxHow string
	accepted, acceptedMany                 string
	unaccept, unacceptMany                 string
	rejected, rejectedMany                 string
	date, layout                           string
	days                                   map[int]string // how far a day is: its name
	// Manners are the answers to greetings and questions for help, where there is no model.
	Manners  map[instruct.Aside]string
	weekdays [7]string // by time.Weekday; empty where the layout says it
}

func english(at model.Places) Words {
	return Words{
		types: map[memory.Type]string{
			memory.TypePreference:   "Preferences",
			memory.TypeFact:         "Facts",
			memory.TypePattern:      "Habits",
			memory.TypeRelationship: "People",
			memory.TypeGoal:         "Plans",
			memory.TypeRule:         "Rules for answers",
			memory.TypeSummary:      "Summaries",
			memory.TypeEpisode:      "Episodes",
		},
		remember:       "This is what I remember (%d):\n",
		nothing:        "I remember nothing about you yet.\n",
		Unrecorded:     "Nothing from this message is remembered.\n",
		undoNamed:      "Your message before changed nothing. The last change was to “%s”. To undo it: " + at.Undo + ".\n",
		NothingToKeep:  "There is nothing in your message before this one that I could remember.\n",
		heldOne:        "\n1 more waits for your approval: " + at.Inbox + ".\n",
		heldMany:       "\n%d more wait for your approval: " + at.Inbox + ".\n",
		more:           "- … and %d more: " + at.Memories + "\n",
		insteadOf:      "I remember nothing about “%s”. ",
		insteadOfThese: "I remember nothing of that kind. ",
		forgotOne:      "Forgot: %s",
		forgotMany:     "Forgot %d memories:",
		undoKey:        "To undo it within 10 seconds: " + at.Undo + ".",
		undoAsk:        "To undo it within 10 minutes: " + at.Undo + ".",
		remain: "The messages that said it stay in the history, but are no longer used. " +
			"To erase them too, delete them there: " + at.Archive + ".",
		which: "I remember several things like that. Which one should I forget?\n",
		this:  "Should I forget this memory? (yes/no)\n\n- %s",
		all:   "This forgets everything that I remember: %d memories. Forget all of them? (yes/no)",
		these: "This forgets %d memories:\n\n%s\nForget all of them? (yes/no)",
		vague: "Say which: a number, several (“1 and 3”, “2-4”, “all but the first”), or “all of them”. " +
			"“No” keeps them. Nothing is forgotten yet.",
		kept: "Nothing was forgotten.",
		none: "I remember nothing like “%s”, so nothing was forgotten. " +
			"I looked for these words; it may be kept in others: " + at.Memories + " shows all.",
		noneOf:        "I remember nothing, so nothing was forgotten.",
		rule:          "Rule ended: %s",
		undoneGone:    "Undone, no longer remembered: %s",
		undoneBack:    "Undone, remembered again: %s",
		replacedBy:    "Replaced: %s → %s",
		NothingToUndo: "There is nothing to undo.",
		UndoOlder: "Your last message changed nothing in the memory, and no deletion can be restored: " +
			"that works for ten seconds, then it is final. To undo an older change: " + at.Undo + ".",
		TooLate: "It is too late for that: a deletion can be undone for ten seconds, then it is final. Nothing was changed.\n",
		HowToForget: "To have one thing forgotten, say it: “forget that I like tea”. For everything: “forget everything about me”; " +
			"I ask before I do that. You can also delete memories one by one: " + at.Memories + ". " +
			"The messages themselves are deleted with " + at.Archive + ".\n",
		sayingOne: "\nOne message in the history says it. It stays there, but is no longer used. " +
			"To erase it too, delete it there: " + at.Archive + ".\n",
		sayingMany: "\n%d messages in the history say it. They stay there, but are no longer used. " +
			"To erase them too, delete them there: " + at.Archive + ".\n",
		takeBacks: takeBacks{
			onlyOne: "No memory holds “%s”, but a message in the history says it: “%s”. " +
				"Should I no longer use that message? (yes/no)",
			onlyMany: "No memory holds “%s”, but %d messages in the history say it, such as “%s”. " +
				"Should I no longer use these messages? (yes/no)",
			outOne:    "This message is kept out of the memory from now on: “%s”.",
			outMany:   "These messages are kept out of the memory from now on: %s.",
			outTaught: "It had taught nothing.",
			outLeft: "It stays in the history, but is no longer used. " +
				"To erase it there too: " + at.Archive + ".",
			outAsked:   "It was only a question. To have a memory forgotten, name it: “forget that I like tea”.",
			outAlready: "Your message before is kept out of the memory already. Nothing was changed.",
			outNone:    "I find no such message just before this one. Nothing was changed.",
			WhichMessage: "I do not know which messages you mean, so nothing was changed. " +
				"“Forget what I just said” takes your last message back; " +
				"others are deleted with " + at.Archive + ".\n",
		},
		asides: asides{
			Standing: "Only this message is left out: what you say next is remembered as usual, and what I remember already stays. " +
				"For a talk of which nothing is kept, begin a temporary chat: `/temp`. " +
				"To leave out one message, say so in it: “off the record: …”.\n",
			Resumed: "What you say is remembered again.\n",
			Paused: "Learning is paused: what was said looked like a game, a role-play or a text to work on. " +
				"It goes on when you say “carry on remembering” or “stop the game”.\n",
			NotPaused: "Learning is not paused. Plain statements about you become memories, " +
				"and some wait for your approval: " + at.Inbox + ".\n",
			yesOrNo:        "Say yes or no. Nothing is forgotten yet.",
			NeverMind:      "All right. Nothing was changed.\n",
			NothingDeleted: "All right: nothing was deleted.\n",
			SayRight:       "Nothing was changed. To correct it, say what is right in one sentence, such as “the dentist is on 4 May”.\n",
			sayForget:      "Nothing was changed. To have it forgotten, say “forget the %s”.\n",
			trash:          "Deleted last, and restored by " + at.Undo + " within %d seconds: %s\n",
			trashMany:      "Deleted last, and restored by " + at.Undo + " within %d seconds: memories %d, conversations %d, messages %d\n",
			trashEmpty: "Nothing that was deleted can be restored: that works for ten seconds, then it is final, " +
				"and I no longer know what it was.\n",
			inbox:      "Waiting for your approval (%d):\n\n",
			inboxEmpty: "Nothing waits for your approval.\n",
			inboxMore:  "- … and %d more\n",
			inboxHow: "\nUntil you accept one, it is not used. To decide, say “accept 1”, “reject 2” or “accept all”, or go to " +
				at.Inbox + ".\n",
			accepted:     "Accepted, and used from now on: %s",
			acceptedMany: "Accepted %d memories, and used from now on:",
			unaccept:     "To undo it: " + at.Undo + ".",
			unacceptMany: "To undo it, the last one first: " + at.Undo + ".",
			rejected:     "Rejected, and not remembered: %s",
			rejectedMany: "Rejected %d memories, which are not remembered:",
			date:         "%s is %s.\n",
			layout:       "Monday, 2 January 2006",
			days:         map[int]string{0: "Today", 1: "Tomorrow", -1: "Yesterday"},
			Manners: map[instruct.Aside]string{
				instruct.AsksHelp: "I remember what you tell me about yourself, and answer from it. All of it stays on this computer.\n\n" +
					"- Tell me something: “I'm allergic to nuts”, “my sister lives in Leeds”, “the dentist is on 3 May”.\n" +
					"- Ask: “where does my sister live?”, “what's on in May?”\n" +
					"- See it all: “what do you know about me?”\n" +
					"- Correct it: “that's wrong, she lives in York”. Delete it: “forget that I'm allergic to nuts”.\n\n" +
					"Without a language model I quote what you told me; with one you can talk about anything. " +
					"More: " + at.Help + ".\n",
				instruct.Greets: "Hello! Tell me something about yourself and I will remember it, or ask me about what you told me. " +
					"“Help” says what I can do.\n",
				instruct.Thanks:   "You're welcome.\n",
				instruct.Leaves:   "Goodbye! What you told me is saved.\n",
				instruct.Replies:  "No question of mine is open, so nothing was changed.\n",
				instruct.AsksQuit: "Type `/quit`, or press ctrl+c twice. What you told me stays, and the next start continues here.\n",
				instruct.AsksPrivacy: "What you say and what I remember is kept on this computer only, and goes elsewhere only " +
					"if you connect a language model: then your message and the memories for it are sent to that model. " +
					"For a talk of which nothing is kept, begin with `/temp`.\n",
				instruct.AsksFolder: "It is all in one folder on this computer; `memoria doctor`, typed in a shell, shows which. " +
					"What is in it you see with " + at.Memories + ".\n",
				instruct.AsksRestore: "Within ten seconds of a deletion, press F7 or use " + at.Undo + ": " +
					"it brings back what was deleted last. " +
					"Later a deletion is final; a memory that only ended, or was replaced, " +
					"can still be brought back in " + at.Memories + ".\n",
			},
		},
		backOne:     "Restored: %s",
		backSession: "Restored: the conversation “%s”",
		backMany:    "Restored: all that was deleted last (memories: %d, conversations: %d, messages: %d)",
		Unclear:     "What is right? Say it in one sentence, such as “I live in Bonn”.",
	}
}

func chinese(at model.Places) Words {
	return Words{
		types: map[memory.Type]string{
			memory.TypePreference:   "偏好",
			memory.TypeFact:         "事实",
			memory.TypePattern:      "习惯",
			memory.TypeRelationship: "身边的人和事",
			memory.TypeGoal:         "计划",
			memory.TypeRule:         "回答的规则",
			memory.TypeSummary:      "摘要",
			memory.TypeEpisode:      "经历",
		},
		remember:       "我记得的内容（%d 条）：\n",
		nothing:        "我还没有记住关于你的任何事。\n",
		undoNamed:      "你上一条消息没有改动记忆。最近一次改动是“%s”。要撤销它：" + at.Undo + "。\n",
		NothingToKeep:  "你上一条消息里没有可以记住的内容。\n",
		Unrecorded:     "这条消息里的内容不会被记住。\n",
		heldOne:        "\n还有 1 条等待你的确认：" + at.Inbox + "。\n",
		heldMany:       "\n还有 %d 条等待你的确认：" + at.Inbox + "。\n",
		more:           "- ……还有 %d 条：" + at.Memories + "\n",
		insteadOf:      "关于“%s”，我什么都不记得。",
		insteadOfThese: "这一类我什么都不记得。",
		forgotOne:      "已删除：%s",
		forgotMany:     "已删除 %d 条：",
		undoKey:        "10 秒内可用 " + at.Undo + " 撤销。",
		undoAsk:        "10 分钟内可撤销：" + at.Undo + "。",
		remain:         "说过这件事的消息仍留在历史里，但不再使用。要连同消息一起删除，请在那里删除：" + at.Archive + "。",
		which:          "我记得几件类似的事，要忘记哪一条？\n",
		this:           "要忘记这条记忆吗？（是/否）\n\n- %s",
		all:            "这会忘记我记得的全部内容：%d 条。全部忘记吗？（是/不）",
		these:          "这会忘记 %d 条：\n\n%s\n全部忘记吗？（是/否）",
		vague:          "请说明是哪一条：说编号，可以说几个（“1和3”“2到4”“除了第一条都删”），要全忘就说“全部”，不忘就说“不”。现在还什么都没有忘记。",
		kept:           "什么都没有忘记。",
		none:           "我不记得“%s”这样的事，所以什么都没有忘记。我找的是这几个字，也许记的是别的说法：" + at.Memories + " 可以看全部。",
		noneOf:         "我什么都不记得，所以没有可忘记的。",
		rule:           "规则已取消：%s",
		undoneGone:     "已撤销，不再记得：%s",
		undoneBack:     "已撤销，重新记得：%s",
		replacedBy:     "已更正：%s → %s",
		NothingToUndo:  "没有可以撤销的。",
		UndoOlder: "上一条消息没有改动记忆，也没有可以恢复的删除：删除后十秒内可以恢复，过后就是永久的。" +
			"要撤销更早的改动：" + at.Undo + "。",
		TooLate: "来不及了：删除后十秒内可以恢复，过后就是永久的。这次什么都没有改动。\n",
		HowToForget: "要忘记一件事，直接说就行，例如“忘掉我喜欢喝茶”。要忘记全部，就说“忘掉关于我的一切”，我会先问你一次。" +
			"也可以一条一条删除：" + at.Memories + "。消息本身用 " + at.Archive + " 删除。\n",
		sayingOne:  "\n历史里有 1 条消息说过这件事，仍留在那里，但不再使用。要一并删除，请在那里删除：" + at.Archive + "。\n",
		sayingMany: "\n历史里有 %d 条消息说过这件事，仍留在那里，但不再使用。要一并删除，请在那里删除：" + at.Archive + "。\n",
		takeBacks: takeBacks{
			onlyOne:    "没有记忆提到“%s”，不过历史里有一条消息说过：“%s”。以后不再使用这条消息吗？（是/否）",
			onlyMany:   "没有记忆提到“%s”，不过历史里有 %d 条消息说过，例如“%s”。以后不再使用这些消息吗？（是/否）",
			outOne:     "这条消息从现在起不再用于记忆：“%s”。",
			outMany:    "这些消息从现在起不再用于记忆：%s。",
			outTaught:  "从它没有记住过什么。",
			outLeft:    "它仍留在历史里，但不再使用。要一并删除，请在那里删除：" + at.Archive + "。",
			outAsked:   "那只是一个问题。要忘记一条记忆，请说出是哪一条，例如“忘掉我喜欢喝茶”。",
			outAlready: "上一条消息本来就不用于记忆，这次什么都没有改动。",
			outNone:    "刚才没有这样的消息，什么都没有改动。",
			WhichMessage: "不清楚指的是哪几条消息，所以什么都没有改动。" +
				"说“刚才那句别记”，会收回上一条；其他的请用 " + at.Archive + " 删除。\n",
		},
		asides: asides{
			Standing: "只有这一条不会被记住：你接下来说的，照常会记，已经记住的也还在。" +
				"想聊一段什么都不留下的，请开临时会话：`/temp`。只想让某一条不被记住，就在那一条里说明，例如“这句别记：……”。\n",
			Resumed:        "你说的内容会继续记住。\n",
			Paused:         "学习暂停了：前面的话看起来像游戏、角色扮演，或是要处理的文字。说“继续记”或“游戏结束”，就会接着记。\n",
			NotPaused:      "学习没有暂停。直接说出的关于你的事会成为记忆，有些要先等你确认：" + at.Inbox + "。\n",
			yesOrNo:        "请说“是”或“不”。现在还什么都没有忘记。",
			NeverMind:      "好的，什么都没有改动。\n",
			NothingDeleted: "好的，什么都没有删除。\n",
			SayRight:       "什么都没有改动。要改正，就用一句话说出对的，例如“看牙是5月4号”。\n",
			sayForget:      "什么都没有改动。要忘掉它，就说“忘掉%s”。\n",
			trash:          "最近删除的，%d 秒内可用 " + at.Undo + " 恢复：%s\n",
			trashMany:      "最近删除的，%d 秒内可用 " + at.Undo + " 恢复：记忆 %d 条，会话 %d 个，消息 %d 条\n",
			trashEmpty:     "没有可以恢复的内容：删除后十秒内可以恢复，过后就是永久的，我也不再知道删了什么。\n",
			inbox:          "等待你确认的内容（%d 条）：\n\n",
			inboxEmpty:     "没有等待你确认的内容。\n",
			inboxMore:      "- ……还有 %d 条\n",
			inboxHow:       "\n接受之前不会用到。要决定，就说“接受第一条”“第二条不要”或“都接受”，也可以去 " + at.Inbox + "。\n",
			accepted:       "已接受，以后会用到：%s",
			acceptedMany:   "已接受 %d 条，以后会用到：",
			unaccept:       "要撤销：" + at.Undo + "。",
			unacceptMany:   "要撤销，从最后一条起：" + at.Undo + "。",
			rejected:       "已拒绝，不会记住：%s",
			rejectedMany:   "已拒绝 %d 条，不会记住：",
			date:           "%s是 %s。\n",
			layout:         "2006 年 1 月 2 日",
			days:           map[int]string{0: "今天", 1: "明天", -1: "昨天"},
			Manners: map[instruct.Aside]string{
				instruct.AsksHelp: "你说的关于自己的事，我会记住，之后凭这些回答你。一切都只留在这台电脑上。\n\n" +
					"- 告诉我一件事：“我对花生过敏”“我姐住在成都”“5 月 3 号看牙”。\n" +
					"- 问我：“我姐住哪儿？”“5 月有什么安排？”\n" +
					"- 看全部：“你都记得我什么？”\n" +
					"- 改正：“不对，她住在重庆”。删除：“忘掉我对花生过敏”。\n\n" +
					"没有语言模型时，我引用你说过的话；接上模型，什么都可以聊。更多请看 " + at.Help + "。\n",
				instruct.Greets:   "你好！说说你自己吧，我会记住；也可以问我你说过的事。想知道我能做什么，就说“帮助”。\n",
				instruct.Thanks:   "不客气。\n",
				instruct.Leaves:   "回头见！你说过的都已保存。\n",
				instruct.Replies:  "现在没有等你回答的问题，什么都没有改动。\n",
				instruct.AsksQuit: "输入 `/quit`，或按两次 ctrl+c。你说过的都还在，下次打开就从这里继续。\n",
				instruct.AsksPrivacy: "你说的和我记住的，都只存在这台电脑上；只有接上语言模型时，你的消息和用到的记忆才会发给那个模型。" +
					"想聊一段什么都不留下的，就用 `/temp`。\n",
				instruct.AsksFolder:  "全部存在这台电脑的一个文件夹里，在命令行输入 `memoria doctor` 就能看到是哪个。里面记住的内容用 " + at.Memories + " 看。\n",
				instruct.AsksRestore: "删除后十秒内按 F7，或用 " + at.Undo + "，就能恢复最后删除的内容。过后删除就是永久的；只是不再成立或被替换的记忆，还可以在 " + at.Memories + " 里恢复。\n",
			},
			weekdays: [7]string{"星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"},
		},
		backOne:     "已恢复：%s",
		backSession: "已恢复会话“%s”",
		backMany:    "已恢复刚才删除的内容（记忆 %d 条，会话 %d 个，消息 %d 条）",
		Unclear:     "那什么才是对的？请用一句话告诉我，例如“我住在波恩”。",
	}
}

// In returns the words in Chinese or English, with the commands to go to.
func In(han bool, at model.Places) Words {
	if han {
		return chinese(at)
	}
	return english(at)
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
		b.WriteString("\n")
		if len(o.Groups) > 1 {
			fmt.Fprintf(&b, "**%s (%d)**\n\n", w.types[g.Type], len(g.Items))
		}
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

// Older says that the message before changed nothing, and what the last change was, which can be undone.
func (w Words) Older(c memory.Change) string {
	if c.Item == nil {
		return w.UndoOlder
	}
	return fmt.Sprintf(w.undoNamed, shortened(c.Item.Content, shownLength))
}

// Instead begins an overview of everything where nothing is known of what was asked for.
func (w Words) Instead(object string) string {
	if object == "" {
		return w.insteadOfThese
	}
	return fmt.Sprintf(w.insteadOf, oneLine(object))
}

// NotFound answers an order to forget that matches no memory.
func (w Words) NotFound(in instruct.Instruction) string {
	if in.Object == "" {
		return w.noneOf + "\n"
	}
	return fmt.Sprintf(w.none, oneLine(in.Object)) + "\n"
}

// OnlySaid asks whether to keep the messages out that say what no memory holds.
func (w Words) OnlySaid(in instruct.Instruction, f manager.ForgetOutcome) string {
	if len(f.Saying) == 1 {
		return fmt.Sprintf(w.onlyOne, oneLine(in.Object), shortened(f.Words, shownLength)) + "\n"
	}
	return fmt.Sprintf(w.onlyMany, oneLine(in.Object), len(f.Saying), shortened(f.Words, shownLength)) + "\n"
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

// Trash says what was deleted last and can be restored; d is zero if that is nothing.
func (w Words) Trash(d write.Deletion, now time.Time) string {
	left := int(d.Until.Sub(now).Seconds() + 0.5)
	switch title := oneLine(d.Title); {
	case d.ID == "" || left < 1:
		return w.trashEmpty
	case title != "":
		return fmt.Sprintf(w.trash, left, title)
	}
	return fmt.Sprintf(w.trashMany, left, d.Items, d.Sessions, d.Messages)
}

// Inbox lists what waits for approval.
func (w Words) Inbox(p lookup.InboxPage) string {
	if p.Total == 0 {
		return w.inboxEmpty
	}
	var b strings.Builder
	fmt.Fprintf(&b, w.inbox, p.Total)
	for i, it := range p.Items {
		fmt.Fprintf(&b, "%d. %s\n", i+1, shortened(it.Content, shownLength))
	}
	if rest := p.Total - len(p.Items); rest > 0 {
		fmt.Fprintf(&b, w.inboxMore, rest)
	}
	return b.String() + w.inboxHow
}

// DecidedLines say what was accepted or rejected, a line each.
func (w Words) DecidedLines(d manager.Decided) []string {
	one, many, items := w.accepted, w.acceptedMany, d.Accepted
	if len(d.Rejected) > 0 {
		one, many, items = w.rejected, w.rejectedMany, d.Rejected
	}
	return listed(one, many, items)
}

// Decided answers a decision about what waits for approval.
func (w Words) Decided(d manager.Decided, brief bool) string {
	if d.Unclear {
		return w.Inbox(d.Waiting)
	}
	undo := w.unaccept
	switch {
	case len(d.Rejected) > 0 && brief:
		undo = w.undoAsk
	case len(d.Rejected) > 0:
		undo = w.undoKey
	case len(d.Accepted) > 1:
		undo = w.unacceptMany
	}
	return Paragraph([]string{together(w.DecidedLines(d)), undo})
}

// SayForget says how to have something forgotten that no longer matters.
func (w Words) SayForget(what string) string { return fmt.Sprintf(w.sayForget, oneLine(what)) }

// Date says what day it is, so many days from today.
func (w Words) Date(t time.Time, days int) string {
	day := t.Format(w.layout)
	if name := w.weekdays[t.Weekday()]; name != "" {
		day += "，" + name
	}
	return fmt.Sprintf(w.date, w.days[days], day)
}

// ForgotLines say what was forgotten, a line each.
func (w Words) ForgotLines(f manager.ForgetOutcome) []string {
	return listed(w.forgotOne, w.forgotMany, f.Items)
}

// listed says what was done with one memory, or with several, a line each.
func listed(one, many string, items []memory.Item) []string {
	if len(items) == 1 {
		return []string{fmt.Sprintf(one, oneLine(items[0].Content))}
	}
	lines := []string{fmt.Sprintf(many, len(items))}
	for _, it := range items[:min(len(items), shownOfType)] {
		lines = append(lines, "- "+oneLine(it.Content))
	}
	if len(items) > shownOfType {
		lines = append(lines, "- …")
	}
	return lines
}

// together joins such lines into a paragraph and its list.
func together(lines []string) string {
	if len(lines) == 1 {
		return lines[0]
	}
	return lines[0] + "\n\n" + strings.Join(lines[1:], "\n")
}

// Forgot is the answer to an instruction to forget. In a conversation that ends with it
// the deletion is undone by a command.
func (w Words) Forgot(f manager.ForgetOutcome, brief bool) string {
	switch {
	case f.Vague && f.All:
		return w.yesOrNo + "\n"
	case f.Vague:
		return w.vague + "\n"
	case len(f.Saying) > 0:
		return strings.TrimPrefix(w.Saying(f.Messages), "\n")
	case f.Kept, len(f.Items) == 0:
		return w.kept + "\n"
	case f.Asks && f.These:
		var b strings.Builder
		for _, it := range f.Items {
			b.WriteString("- " + oneLine(it.Content) + "\n")
		}
		return fmt.Sprintf(w.these, f.Total, b.String()) + "\n"
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
	out := []string{together(w.ForgotLines(f)), undo}
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

// UndoneLines is Undone for several changes.
func (w Words) UndoneLines(did []memory.Change) (lines []string) {
	for _, c := range did {
		lines = append(lines, w.Undone(c))
	}
	return lines
}

// TakenBack says what was taken back; words are those that the messages have, if the user named any.
func (w Words) TakenBack(out manager.TakenBack, words string) string {
	lines := w.UndoneLines(out.Undone.Did)
	switch {
	case out.Already && words == "":
		return w.outAlready + "\n"
	case len(out.Said) == 0 && len(lines) == 0:
		return w.outNone + "\n"
	case len(out.Said) == 1:
		lines = append(lines, fmt.Sprintf(w.outOne, shortened(out.Said[0], shownLength)))
	case len(out.Said) > 1:
		var quotes []string
		for _, s := range out.Said {
			quotes = append(quotes, "“"+shortened(s, shownLength)+"”")
		}
		lines = append(lines, fmt.Sprintf(w.outMany, strings.Join(quotes, " ")))
	}
	switch {
	case len(out.Undone.Did) > 0:
	case out.Asks:
		lines = append(lines, w.outAsked)
	default:
		lines = append(lines, w.outTaught)
	}
	return Paragraph(append(lines, w.outLeft))
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
