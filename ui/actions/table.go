package actions

import (
	"context"

	"memoria/ui/words"
)

// Mode is where an action is run. Its methods know the actions that can be typed there.
type Mode uint8

// The front ends, and both that a slash works in.
const (
	Screen Mode = 1 << iota // the terminal program
	Plain                   // line mode
	Shell                   // a command

	anywhere = Screen | Plain
)

// Action is one thing that a user can do.
type Action struct {
	// Name is what follows the slash, Aliases what may be typed instead.
	Name    string
	Aliases []string
	// Arg says what may follow: "" for nothing, in brackets what can be left out.
	Arg string
	// Help is one line without a full stop. The table is in English; see [Action.Worded].
	Help string
	// In says where it can be typed, Command which command does it in a shell.
	In      Mode
	Command string
	// Run does it. An action without Run belongs to the front end alone: it opens a pane or
	// changes what the screen shows.
	Run func(ctx context.Context, c *Console, arg string) (Result, error)
	// Slow says that Run may take long: the conversation goes on meanwhile.
	Slow bool
}

// needs reports whether something must follow.
func (a Action) needs() bool { return a.Arg != "" && a.Arg[0] != '[' }

// takes reports whether something may follow.
func (a Action) takes() bool { return a.Arg != "" }

// Worded returns the action with Arg and Help in a language.
func (a Action) Worded(l words.Language) Action {
	a.Arg, a.Help = l.Translate(a.Arg), l.Translate(a.Help)
	return a
}

// Usage is the action as it is typed after a slash: "/model [NAME]".
func (a Action) Usage() string {
	if a.takes() {
		return "/" + a.Name + " " + a.Arg
	}
	return "/" + a.Name
}

// commands are actions that only commands run, by the command's name.
var commands = map[string]func(ctx context.Context, c *Console, arg string) (Result, error){
	"agent show":     showAgent,
	"archive show":   showMessage,
	"archive why":    evidence,
	"backup now":     backupNow,
	"group list":     listGroups,
	"group show":     showGroup,
	"index compact":  indexCompact,
	"index status":   indexStatus,
	"journal list":   journalList,
	"journal search": searchJournal,
	"journal status": journalStatus,
	"memory review":  review,
	"memory show":    showMemory,
}

// Does returns what runs a command with its arguments as one text; nil when there is nothing.
func Does(command string) func(ctx context.Context, c *Console, arg string) (Result, error) {
	if run := commands[command]; run != nil {
		return run
	}
	for _, a := range table {
		if a.In&Shell != 0 && a.Command == command {
			return a.Run
		}
	}
	return nil
}

// table declares every action, in the order in which help shows it. What a user does most
// comes first. It is set by init, because actions name each other in what they say.
var table []Action

func init() {
	table = []Action{
		{Name: "help", Aliases: []string{"h", "commands", "帮助", "命令"}, Arg: "[COMMAND]",
			Help: "what can be typed, or one command", In: anywhere},
		{Name: "new", Aliases: []string{"n", "new-session", "新会话", "新建"},
			Help: "start a new session with the next message", In: anywhere,
			Run: newSession},
		{Name: "temp", Aliases: []string{"temporary", "off-the-record", "临时", "临时会话"},
			Help: "begin or end a temporary chat, of which nothing is kept", In: anywhere,
			Run: temporary},
		{Name: "sessions", Aliases: []string{"history", "会话", "历史"}, Arg: "[WORDS]",
			Help: "earlier sessions, all or those with these words", In: anywhere, Command: "session list",
			Run: sessions},
		{Name: "resume", Aliases: []string{"open", "continue", "继续", "恢复"}, Arg: "[WORDS]",
			Help: "go on with an earlier session", In: anywhere,
			Run: session("resume", resume)},
		{Name: "rename", Aliases: []string{"title", "重命名", "标题"}, Arg: "TITLE",
			Help: "give this session another title", In: anywhere, Command: "session rename",
			Run: rename},
		{Name: "keep", Aliases: []string{"保留"},
			Help: "keep this session, or not, where sessions are not kept by default", In: anywhere, Command: "session keep",
			Run: keep},
		{Name: "delete-session", Aliases: []string{"删除会话"}, Arg: "WORDS",
			Help: "delete an earlier session and what was learned in it", In: Plain, Command: "session delete",
			Run: session("delete-session", deleteSession)},
		{Name: "recall", Aliases: []string{"preview", "回忆", "会想起"}, Arg: "[TEXT]",
			Help: "what this text would recall, and why", In: anywhere, Command: "recall",
			Run: wouldRecall},
		{Name: "memories", Aliases: []string{"memory", "list", "browse", "记忆"}, Arg: "[WORDS]",
			Help: "what is remembered, all or with these words", In: anywhere, Command: "memory list",
			Run: memories},
		{Name: "more", Aliases: []string{"m", "更多", "下一页"}, Help: "the next page of the last list", In: Plain},
		{Name: "show", Aliases: []string{"查看"}, Arg: "WORDS",
			Help: "one memory with all its fields", In: Plain, Command: "memory show",
			Run: item("show", show)},
		{Name: "why", Aliases: []string{"source", "where-from", "来源", "为什么"}, Arg: "WORDS",
			Help: "the words that a memory came from", In: Plain, Command: "archive why",
			Run: item("why", why)},
		{Name: "proof", Aliases: []string{"sources", "citations", "出处", "证据"}, Arg: "[NUMBER]",
			Help: "what the last answer rests on, or one source of it in full", In: Plain,
			Run: proof},
		{Name: "add", Aliases: []string{"remember", "记住", "添加"}, Arg: "TEXT",
			Help: "add a memory", In: anywhere, Command: "memory add",
			Run: add},
		{Name: "edit", Aliases: []string{"修改", "编辑"}, Arg: "WORDS",
			Help: "change a memory", In: Plain, Command: "memory edit",
			Run: item("edit", edit)},
		{Name: "delete", Aliases: []string{"forget", "del", "rm", "删除", "忘记"}, Arg: "WORDS",
			Help: "delete a memory, after a question", In: anywhere, Command: "memory delete",
			Run: item("delete", deleteMemory)},
		{Name: "erase-secret", Aliases: []string{"erase", "抹去秘密", "删除秘密"},
			Help: "erase the last message with a password, key or card number from the archive", In: anywhere,
			Run: eraseSecret},
		{Name: "undo", Aliases: []string{"takeback", "take-back", "撤销", "撤回"},
			Help: "undo a deletion or withdraw a waiting message, else undo the last change", In: anywhere, Command: "memory undo --last",
			Run: undoAny},
		{Name: "profile", Aliases: []string{"about-me", "about", "关于你", "画像", "资料", "关于我"}, Arg: "[WHAT]",
			Help: "the page about you that goes with every message; WHAT: edit, history or undo", In: anywhere, Command: "profile",
			Run: aboutUser},
		{Name: "inbox", Aliases: []string{"held", "pending", "收件箱", "待确认"},
			Help: "memories waiting for your approval", In: anywhere, Command: "inbox",
			Run: inbox},
		{Name: "accept", Aliases: []string{"接受", "同意"}, Arg: "NUMBER",
			Help: "accept one of the inbox, or all", In: anywhere, Command: "inbox accept",
			Run: accept},
		{Name: "reject", Aliases: []string{"拒绝"}, Arg: "NUMBER",
			Help: "reject one of the inbox: it is deleted and not proposed again", In: anywhere, Command: "inbox reject",
			Run: reject},
		{Name: "agent", Aliases: []string{"switch", "角色", "智能体", "切换"}, Arg: "[NAME]",
			Help: "talk to another agent, who has a memory of its own", In: anywhere,
			Run: switchAgent},
		{Name: "agents", Aliases: []string{"personas", "所有角色"},
			Help: "the agents there are, and what each has", In: anywhere, Command: "agent list",
			Run: agents},
		{Name: "group", Aliases: []string{"groups", "群组", "群聊"}, Arg: "[NAME @AGENT @AGENT]",
			Help: "talk to several agents at once: to a group, or a new one of these", In: anywhere, Command: "group add",
			Run: group},
		{Name: "add-agent", Aliases: []string{"new-agent", "添加角色"}, Arg: "NAME",
			Help: "make an agent", In: Plain, Command: "agent add",
			Run: addAgent},
		{Name: "edit-agent", Aliases: []string{"persona", "修改角色"}, Arg: "[FIELD TEXT]",
			Help: "change this agent; FIELD: name, persona, model or color; of a group: name or members", In: Plain, Command: "agent edit",
			Run: editAgent},
		{Name: "delete-agent", Aliases: []string{"删除角色"}, Arg: "[NAME]",
			Help: "delete an agent or a group with everything it has, after a question", In: Plain, Command: "agent delete",
			Run: deleteAgent},
		{Name: "context", Aliases: []string{"sent", "上下文"}, Arg: "[TURN]",
			Help: "what went to the model, layer by layer", In: anywhere, Command: "context",
			Run: sent},
		{Name: "working", Aliases: []string{"工作记忆"},
			Help: "what this session is about right now", In: anywhere, Command: "working",
			Run: working},
		{Name: "evidence", Aliases: []string{"出处", "证据"}, Arg: "[TURN]",
			Help: "why the archive was searched, and the messages that it gave", In: Screen},
		{Name: "health", Aliases: []string{"status", "健康", "状态"},
			Help: "health check: how much is stored, and what is wrong", In: anywhere,
			Run: health},
		{Name: "model", Aliases: []string{"models", "模型"}, Arg: "[NAME]", Help: "show or switch the model", In: anywhere,
			Run: switchModel, Slow: true},
		{Name: "search-tool", Aliases: []string{"自动检索"}, Arg: "[on|off]",
			Help: "whether the model may search your memories by itself", In: anywhere,
			Run: searchTool},
		{Name: "settings", Aliases: []string{"config", "options", "设置", "配置"}, Arg: "[WORDS]",
			Help: "every setting with its help, all or those with these words", In: anywhere, Command: "config show",
			Run: settings},
		{Name: "set", Aliases: []string{"设为", "设定"}, Arg: "KEY VALUE",
			Help: "change a setting, now and in the file", In: anywhere, Command: "config set",
			Run: set},
		{Name: "unset", Aliases: []string{"default", "恢复默认"}, Arg: "KEY",
			Help: "let a setting have its default again", In: anywhere,
			Run: unset},
		{Name: "retry", Aliases: []string{"again", "重试"}, Help: "ask for the answer again", In: anywhere,
			Run: retry},
		{Name: "regenerate", Aliases: []string{"regen", "重新生成", "再答"},
			Help: "another answer to the last message; those before are kept", In: anywhere,
			Run: regenerate},
		{Name: "answers", Aliases: []string{"variants", "branches", "答案", "分支"}, Arg: "[NUMBER]",
			Help: "how many answers the last message has, or another of them", In: anywhere,
			Run: answers},
		{Name: "edit-message", Aliases: []string{"amend", "编辑消息", "修改消息"},
			Help: "edit your last message and go on from there", In: Screen},
		{Name: "edit-message", Aliases: []string{"amend", "编辑消息", "修改消息"}, Arg: "TEXT",
			Help: "say this in place of your last message and go on from there", In: Plain,
			Run: editMessage},
		{Name: "undo-turn", Aliases: []string{"撤销一轮", "撤回一轮"},
			Help: "undo the last turn and what it taught; /undo restores it", In: anywhere,
			Run: undoTurn, Slow: true},
		{Name: "fork", Aliases: []string{"分叉"}, Help: "begin a new session behind the selected or last message", In: Screen,
			Run: fork},
		{Name: "fork", Aliases: []string{"分叉"}, Arg: "[NUMBER]",
			Help: "begin a new session behind the last message, or NUMBER messages before it", In: Plain, Command: "session fork",
			Run: fork},
		{Name: "export", Aliases: []string{"markdown", "导出"}, Arg: "[FILE]",
			Help: "write this session as Markdown", In: anywhere, Command: "session export",
			Run: exportSession},
		{Name: "overrule", Aliases: []string{"judgement", "改判", "归属"},
			Help: "decide otherwise whether an earlier conversation goes on", In: anywhere,
			Run: overrule},
		{Name: "stop", Aliases: []string{"cancel", "停止", "取消"},
			Help: "end the answer that is arriving; what has come is kept", In: anywhere,
			Run: stop},
		{Name: "repeat", Aliases: []string{"say", "重复"}, Help: "the last answer once more", In: Plain,
			Run: repeat},
		{Name: "archive", Aliases: []string{"归档"}, Arg: "[WORDS]",
			Help: "every message, by words and time (pottery last week)", In: anywhere, Command: "archive search",
			Run: archive, Slow: true},
		{Name: "journal", Aliases: []string{"日记", "日志"}, Arg: "[WHAT]",
			Help: "the journal's files; WHAT: a day, a month, a file, words to search for, run, or status", In: anywhere,
			Command: "journal", Run: readJournal, Slow: true},
		{Name: "find", Aliases: []string{"search", "查找", "搜索"}, Arg: "[WORDS]",
			Help: "find words in this conversation", In: Screen},
		{Name: "copy", Aliases: []string{"yank", "复制"}, Help: "copy the last answer", In: Screen},
		{Name: "code", Aliases: []string{"代码"}, Arg: "[N]", Help: "copy a block of code of the last answer", In: Screen},
		{Name: "editor", Aliases: []string{"edit-draft", "编辑", "编辑器"}, Help: "write the message in your editor", In: Screen},
		{Name: "theme", Aliases: []string{"colors", "colours", "主题", "颜色"}, Arg: "[NAME]", Help: "change theme", In: Screen},
		{Name: "thoughts", Aliases: []string{"thinking", "思考", "想法"},
			Help: "what the model thought before its last answer", In: anywhere,
			Run: thoughts},
		{Name: "mouse", Aliases: []string{"鼠标"}, Help: "switch the mouse on or off", In: Screen},
		{Name: "quit", Aliases: []string{"q", "exit", "bye", "退出", "再见"}, Help: "leave; everything is stored", In: anywhere},
	}
}
