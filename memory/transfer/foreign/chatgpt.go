package foreign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"memoria/memory"
)

// The parts of ChatGPT's format that are read.
type (
	chatgptConversation struct {
		ID             string                  `json:"conversation_id"`
		OtherID        string                  `json:"id"`
		Title          string                  `json:"title"`
		CreateTime     moment                  `json:"create_time"`
		UpdateTime     moment                  `json:"update_time"`
		Mapping        map[string]*chatgptNode `json:"mapping"`
		CurrentNode    string                  `json:"current_node"`
		DefaultModel   string                  `json:"default_model_slug"`
		ClaudeMessages json.RawMessage         `json:"chat_messages"`
	}
	chatgptNode struct {
		Parent   string          `json:"parent"`
		Children []string        `json:"children"`
		Message  *chatgptMessage `json:"message"`
	}
	chatgptMessage struct {
		Author struct {
			Role string `json:"role"`
			Name string `json:"name"`
		} `json:"author"`
		CreateTime moment         `json:"create_time"`
		Content    chatgptContent `json:"content"`
		Recipient  string         `json:"recipient"`
		Metadata   struct {
			Hidden      bool   `json:"is_visually_hidden_from_conversation"`
			Model       string `json:"model_slug"`
			Attachments []struct {
				ID   string `json:"id"`
				Name string `json:"name"`
			} `json:"attachments"`
		} `json:"metadata"`
	}
	chatgptContent struct {
		Type     string            `json:"content_type"`
		Parts    []json.RawMessage `json:"parts"`
		Text     string            `json:"text"`
		Language string            `json:"language"`
		Thoughts []struct {
			Summary string `json:"summary"`
			Content string `json:"content"`
		} `json:"thoughts"`
	}
	chatgptPart struct {
		Type    string `json:"content_type"`
		Text    string `json:"text"`
		Pointer string `json:"asset_pointer"`
		Name    string `json:"name"`
	}
)

func (e *Export) chatgpt(text []byte) (Conversation, *ConversationError) {
	var from chatgptConversation
	err := json.Unmarshal(text, &from)
	c := Conversation{
		ID:      cmp.Or(from.ID, from.OtherID),
		Title:   from.Title,
		Model:   from.DefaultModel,
		Created: from.CreateTime.within(e.now),
		Updated: from.UpdateTime.within(e.now),
	}
	switch {
	case err != nil:
	case from.Mapping == nil && from.ClaudeMessages != nil:
		err = errors.New("this is an export of Claude: use the format claude")
	case from.Mapping == nil:
		err = errors.New("it has no messages (\"mapping\")")
	case c.ID == "":
		err = errors.New("it has no id")
	default:
		err = c.plant(e.chatgptNodes(from), from.CurrentNode, e.start(c))
	}
	return c, left(c, err)
}

func (e *Export) chatgptNodes(from chatgptConversation) []*node {
	nodes := make([]*node, 0, len(from.Mapping))
	for id, n := range from.Mapping {
		if n == nil {
			n = &chatgptNode{}
		}
		to := &node{id: id, parent: n.Parent, children: n.Children}
		if m := n.Message; m != nil {
			to.at = m.CreateTime.within(e.now)
			to.message = m.shown()
			if m.Content.Type == "thoughts" {
				to.reasoning = m.Content.reasoning()
			}
		}
		nodes = append(nodes, to)
	}
	return nodes
}

// shown returns the message as ChatGPT shows it, or nil if it does not: instructions,
// memories, calls of tools and most results.
func (m *chatgptMessage) shown() *Message {
	if m.Metadata.Hidden {
		return nil
	}
	out := Message{Model: m.Metadata.Model}
	text, pictures := m.Content.read()
	switch m.Author.Role {
	case "user":
		out.Role = memory.RoleUser
	case "assistant":
		if m.Recipient != "" && m.Recipient != "all" {
			return nil
		}
		out.Role = memory.RoleAssistant
	case "tool":
		// A picture that a tool drew is shown as the answer.
		if len(pictures) == 0 {
			return nil
		}
		out.Role, text = memory.RoleAssistant, ""
	default:
		return nil
	}
	switch m.Content.Type {
	case "user_editable_context", "model_editable_context", "thoughts", "reasoning_recap", "execution_output",
		"tether_browsing_display", "tether_quote", "system_error":
		return nil
	case "code":
		text = fence(text, m.Content.Language)
	}
	out.Text = strings.TrimSpace(citation.ReplaceAllString(text, ""))
	out.Attachments = m.names(pictures)
	if out.Text == "" && len(out.Attachments) == 0 {
		return nil
	}
	return &out
}

// citation is a reference to a search result, in private characters.
var citation = regexp.MustCompile("\ue200[^\ue200\ue201]*\ue201")

// read returns the text of all parts, and the pointers to the others.
func (c chatgptContent) read() (text string, pointers []string) {
	var texts []string
	if c.Text != "" {
		texts = append(texts, c.Text)
	}
	for _, raw := range c.Parts {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			if s != "" {
				texts = append(texts, s)
			}
			continue
		}
		var p chatgptPart
		if json.Unmarshal(raw, &p) != nil {
			continue
		}
		switch {
		case p.Text != "":
			texts = append(texts, p.Text)
		case p.Pointer != "" || p.Name != "":
			pointers = append(pointers, cmp.Or(p.Pointer, p.Name))
		case p.Type != "":
			pointers = append(pointers, p.Type)
		}
	}
	return strings.Join(texts, "\n\n"), pointers
}

func (c chatgptContent) reasoning() string {
	var texts []string
	for _, t := range c.Thoughts {
		texts = append(texts, strings.TrimSpace(t.Summary+"\n\n"+t.Content))
	}
	return strings.Join(texts, "\n\n")
}

// names returns the names of attachments. Pointers end with the id of a file, which may
// have a name.
func (m *chatgptMessage) names(pointers []string) []string {
	var names []string
	used := map[string]bool{}
	for _, pointer := range pointers {
		name := path.Base(pointer)
		for _, a := range m.Metadata.Attachments {
			if a.ID != "" && strings.HasSuffix(pointer, a.ID) {
				name = cmp.Or(a.Name, name)
				used[a.ID] = true
			}
		}
		names = append(names, name)
	}
	for _, a := range m.Metadata.Attachments {
		if name := cmp.Or(a.Name, a.ID); name != "" && !used[a.ID] {
			names = append(names, name)
		}
	}
	return names
}

// fence returns a text as a block of code in Markdown.
func fence(text, language string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	marks := "```"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	if language == "unknown" {
		language = ""
	}
	return fmt.Sprintf("%s%s\n%s\n%s", marks, language, strings.TrimSuffix(text, "\n"), marks)
}
