package actions

// Mode is where commands are typed. Its methods know the commands that work
// there.
type Mode uint8

// The two places, and both.
const (
	Screen Mode = 1 << iota // the terminal program
	Plain                   // the conversation line by line

	anywhere = Screen | Plain
)

// Command is one thing that can be asked for.
type Command struct {
	// Name is what Call.Name holds, Aliases what may be typed instead.
	Name    string
	Aliases []string
	// Arg says what may follow: "" for nothing, in brackets what can be left
	// out.
	Arg string
	// Help is one line without a full stop.
	Help string
	// In says where it works.
	In Mode
}

// Needs reports whether something must follow.
func (c Command) Needs() bool { return c.Arg != "" && c.Arg[0] != '[' }

// takes reports whether something may follow.
func (c Command) takes() bool { return c.Arg != "" }

// Usage is the command as it is typed: "/model [NAME]".
func (c Command) Usage() string {
	if c.takes() {
		return "/" + c.Name + " " + c.Arg
	}
	return "/" + c.Name
}

// commands is the table, in the order in which help shows it. What a person
// does most comes first.
var commands = []Command{
	{"help", []string{"h", "commands", "帮助", "命令"}, "[COMMAND]", "what can be typed, or one command", anywhere},

	{"new", []string{"n", "new-session", "新会话", "新建"}, "", "start a new session with the next message", anywhere},
	{"temp", []string{"temporary", "off-the-record", "临时", "临时会话"}, "", "begin or end a temporary chat, of which nothing is kept", anywhere},
	{"sessions", []string{"history", "会话", "历史"}, "[WORDS]", "earlier sessions, all or those with these words", anywhere},
	{"resume", []string{"open", "continue", "继续", "恢复"}, "[WORDS]", "go on with an earlier session", anywhere},
	{"rename", []string{"title", "重命名", "标题"}, "TITLE", "give this session another title", anywhere},
	{"keep", []string{"保留"}, "", "keep this session, or not, where sessions are not kept by default", anywhere},
	{"delete-session", []string{"删除会话"}, "WORDS", "delete an earlier session and what was learned in it", Plain},

	{"recall", []string{"preview", "回忆", "会想起"}, "[TEXT]", "what this text would recall, and why", anywhere},
	{"memories", []string{"memory", "list", "browse", "记忆"}, "[WORDS]", "what is remembered, all or with these words", anywhere},
	{"more", []string{"m", "更多", "下一页"}, "", "the next page of the last list", Plain},
	{"show", []string{"查看"}, "WORDS", "one memory with all its fields", Plain},
	{"why", []string{"source", "where-from", "来源", "为什么"}, "WORDS", "the words that a memory came from", Plain},
	{"proof", []string{"sources", "citations", "出处", "证据"}, "[NUMBER]", "what the last answer rests on, or one source of it in full", Plain},
	{"add", []string{"remember", "记住", "添加"}, "TEXT", "add a memory", anywhere},
	{"edit", []string{"修改", "编辑"}, "WORDS", "change a memory", Plain},
	{"delete", []string{"forget", "del", "rm", "删除", "忘记"}, "WORDS", "delete a memory, after a question", anywhere},
	{"erase-secret", []string{"erase", "抹去秘密", "删除秘密"}, "", "erase the last message with a password, key or card number from the archive", anywhere},
	{"undo", []string{"takeback", "take-back", "撤销", "撤回"}, "", "take back a deletion or waiting message, else the last change", anywhere},

	{"profile", []string{"about-me", "about", "画像", "资料", "关于我"}, "[WHAT]", "the page about you that goes with every message; WHAT: edit, history or undo", anywhere},
	{"inbox", []string{"held", "pending", "收件箱", "待确认"}, "", "memories waiting for your approval", anywhere},
	{"accept", []string{"接受", "同意"}, "NUMBER", "accept one of the inbox, or all", Plain},
	{"reject", []string{"拒绝"}, "NUMBER", "reject one of the inbox: it is deleted and not proposed again", Plain},
	{"agent", []string{"switch", "角色", "智能体", "切换"}, "[NAME]", "talk to another agent, who has a memory of its own", anywhere},
	{"agents", []string{"personas", "所有角色"}, "", "the agents there are, and what each has", anywhere},
	{"group", []string{"groups", "群组", "群聊"}, "[NAME @AGENT @AGENT]", "talk to several agents at once: to a group, or a new one of these", anywhere},
	{"add-agent", []string{"new-agent", "添加角色"}, "NAME", "make an agent", Plain},
	{"edit-agent", []string{"persona", "修改角色"}, "[FIELD TEXT]", "change this agent; FIELD: name, persona, model or color; of a group: name or members", Plain},
	{"delete-agent", []string{"删除角色"}, "[NAME]", "delete an agent or a group with everything it has, after a question", Plain},
	{"context", []string{"sent", "上下文"}, "[TURN]", "what went to the model, layer by layer", anywhere},
	{"working", []string{"工作记忆"}, "", "what this session is about right now", anywhere},
	{"health", []string{"status", "健康", "状态"}, "", "health check: how much is stored, and what is wrong", anywhere},
	{"model", []string{"models", "模型"}, "[NAME]", "show or switch the model", anywhere},
	{"search-tool", []string{"自动检索"}, "[on|off]", "whether the model may search your memories by itself", anywhere},
	{"settings", []string{"config", "options", "设置", "配置"}, "[WORDS]", "every setting with its help, all or those with these words", anywhere},
	{"set", []string{"设为", "设定"}, "KEY VALUE", "change a setting, now and in the file", anywhere},
	{"unset", []string{"default", "恢复默认"}, "KEY", "let a setting have its default again", anywhere},
	{"retry", []string{"again", "重试"}, "", "ask for the answer again", anywhere},
	{"regenerate", []string{"regen", "重新生成", "再答"}, "", "another answer to the last message; those before are kept", anywhere},
	{"answers", []string{"variants", "branches", "答案", "分支"}, "[NUMBER]", "how many answers the last message has, or another of them", anywhere},
	{"edit-message", []string{"amend", "编辑消息", "修改消息"}, "", "edit your last message and go on from there", Screen},
	{"edit-message", []string{"amend", "编辑消息", "修改消息"}, "TEXT", "say this in place of your last message and go on from there", Plain},
	{"undo-turn", []string{"撤销一轮", "撤回一轮"}, "", "undo the last turn and what it taught; /undo takes it back", anywhere},
	{"fork", []string{"分叉"}, "", "begin a new session behind the selected or last message", Screen},
	{"fork", []string{"分叉"}, "[NUMBER]", "begin a new session behind the last message, or NUMBER messages before it", Plain},
	{"export", []string{"markdown", "导出"}, "[FILE]", "write this session as Markdown", anywhere},
	{"overrule", []string{"judgement", "改判", "归属"}, "", "decide otherwise whether an earlier conversation goes on", anywhere},
	{"stop", []string{"cancel", "停止", "取消"}, "", "end the answer that is arriving; what has come is kept", anywhere},
	{"repeat", []string{"say", "重复"}, "", "the last answer once more", Plain},

	{"archive", []string{"归档"}, "[WORDS]", "every message, by words and time (pottery last week)", anywhere},
	{"journal", []string{"日记", "日志"}, "[WHAT]", "the journal's files; WHAT: a day, a month, a file, words to search for, run, or status", anywhere},
	{"find", []string{"search", "查找", "搜索"}, "[WORDS]", "find words in this conversation", Screen},
	{"copy", []string{"yank", "复制"}, "", "copy the last answer", Screen},
	{"code", []string{"代码"}, "[N]", "copy a block of code of the last answer", Screen},
	{"editor", []string{"edit-draft", "编辑", "编辑器"}, "", "write the message in your editor", Screen},
	{"theme", []string{"colors", "colours", "主题", "颜色"}, "[NAME]", "change theme", Screen},
	{"thoughts", []string{"thinking", "思考", "想法"}, "", "what the model thought before its last answer", anywhere},
	{"mouse", []string{"鼠标"}, "", "switch the mouse on or off", Screen},

	{"quit", []string{"q", "exit", "bye", "退出", "再见"}, "", "leave; everything is stored", anywhere},
}
