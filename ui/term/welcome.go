package term

import (
	"fmt"

	"memoria/ui/clean"
)

// roomyWelcome is the height in lines from which on the whole welcome has room.
const roomyWelcome = 16

// welcome is what an empty conversation shows: on the first start what this is
// and what to try, later only that a session begins.
func (m view) welcome() []string {
	s := m.styles
	if words := m.conv.ownMemories(); words != "" {
		return []string{
			"", s.Accent.Render(clean.Line(m.conv.company())),
			"", "They answer in this order; @ and a name asks one of them, @all or no name all.",
			"", s.Dim.Render(words),
		}
	}
	if m.conv.status.Items > 0 || m.conv.status.Sessions > 0 {
		out := []string{"", s.Accent.Render("A new session.")}
		switch n := m.conv.status.Items; n {
		case 0:
			out = append(out, "Nothing is remembered yet.")
		case 1:
			out = append(out, "One memory comes along.")
		default:
			out = append(out, fmt.Sprintf("%d memories come along.", n))
		}
		return append(out, "", s.Dim.Render("Type a message below: the panel shows what it would recall."))
	}
	if m.screen.Transcript.H < roomyWelcome {
		return m.shortWelcome()
	}
	out := []string{
		"",
		s.Strong.Render("memoria: a chat whose memory you can see, correct and delete."),
		"",
	}
	if m.info.Offline {
		out = append(out,
			"No language model is connected. You can still use it: it answers with quotes from memory. Try",
			"",
			"   "+s.Accent.Render("My name is Bo."),
			"   "+s.Accent.Render("Remember that the deploy runs on Fridays."),
			"   "+s.Accent.Render("What is my name?"),
			"",
			s.Dim.Render("To connect a model: start Ollama, llama.cpp, LM Studio or vLLM here, or set OPENAI_API_KEY, or [model] in config.toml."),
		)
	} else {
		to := clean.Line(m.info.Model)
		if m.info.Endpoint != "" {
			to += " at " + clean.Line(m.info.Endpoint)
		}
		out = append(out, "You talk to "+s.Accent.Render(to)+". What you say about yourself is remembered on this computer, "+
			"and only what the panel shows goes along with a message.")
	}
	if !m.opts.Demo {
		out = append(out, "", "To look around first: "+s.Accent.Render("memoria --demo")+" opens a throw-away memory with a few weeks in it.")
	}
	return append(out,
		"",
		s.Strong.Render("memoria：记忆看得见、改得了、删得掉的对话。"),
		"",
		"没有连接模型时，它引用自己的记忆来回答。试试："+s.Accent.Render("我叫小博。")+"  "+s.Accent.Render("记住每周五部署。")+"  "+s.Accent.Render("我叫什么？"),
		"",
		s.Dim.Render("tab goes to the panel · F1 shows all keys · 按 F1 看所有按键"),
	)
}

// shortWelcome is the welcome of the first start where there is little room.
func (m view) shortWelcome() []string {
	s := m.styles
	out := []string{s.Strong.Render("memoria: see, correct and delete what it remembers."), ""}
	if m.info.Offline {
		out = append(out, "No model is connected; it answers from memory. Try",
			"   "+s.Accent.Render("My name is Bo.")+"   "+s.Accent.Render("What is my name?"))
	} else {
		out = append(out, "You talk to "+s.Accent.Render(clean.Line(m.info.Model))+". Try", "   "+s.Accent.Render("My name is Bo."))
	}
	out = append(out, "   "+s.Accent.Render("我叫小博。")+"   "+s.Accent.Render("我叫什么？"), "")
	if !m.opts.Demo {
		out = append(out, s.Accent.Render("memoria --demo")+" opens a made-up memory to look around.")
	}
	return append(out, s.Dim.Render("tab: the panel · F1: all keys · 按 F1 看所有按键"))
}
