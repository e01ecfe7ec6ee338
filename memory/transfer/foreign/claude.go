package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"memoria/memory"
)

// The parts of Claude's format that are read.
type (
	claudeConversation struct {
		UUID           loose           `json:"uuid"`
		Name           loose           `json:"name"`
		CreatedAt      moment          `json:"created_at"`
		UpdatedAt      moment          `json:"updated_at"`
		Model          loose           `json:"model"`
		Messages       json.RawMessage `json:"chat_messages"`
		Current        loose           `json:"current_leaf_message_uuid"`
		ChatGPTMapping json.RawMessage `json:"mapping"`
	}
	claudeMessage struct {
		UUID        string          `json:"uuid"`
		Parent      json.RawMessage `json:"parent_message_uuid"`
		Sender      string          `json:"sender"`
		CreatedAt   moment          `json:"created_at"`
		Text        string          `json:"text"`
		Content     json.RawMessage `json:"content"`
		Attachments []claudeFile    `json:"attachments"`
		Files       []claudeFile    `json:"files"`
		FilesV2     []claudeFile    `json:"files_v2"`
	}
	claudeBlock struct {
		Type     string          `json:"type"`
		Text     loose           `json:"text"`
		Thinking loose           `json:"thinking"`
		Name     loose           `json:"name"`
		Input    json.RawMessage `json:"input"`
		Content  json.RawMessage `json:"content"`
		Message  loose           `json:"message"`
	}
	claudeFile struct {
		Name loose `json:"file_name"`
		Text loose `json:"extracted_content"`
	}
)

func (e *Export) claude(text []byte) (Conversation, error) {
	var from claudeConversation
	err := json.Unmarshal(text, &from)
	c := Conversation{
		ID:      string(from.UUID),
		Title:   string(from.Name),
		Model:   string(from.Model),
		Created: from.CreatedAt.within(e.now),
		Updated: from.UpdatedAt.within(e.now),
	}
	switch {
	case err != nil:
		return c, err
	case from.Messages == nil && from.ChatGPTMapping != nil:
		return c, &OtherFormatError{Is: ChatGPT, Asked: Claude}
	case from.Messages == nil:
		return c, fmt.Errorf(`%w: there are no "chat_messages"`, errOther)
	}
	var messages []json.RawMessage
	if err := json.Unmarshal(from.Messages, &messages); err != nil {
		return c, fmt.Errorf(`"chat_messages": %w`, err)
	}
	nodes, err := e.claudeNodes(messages, string(from.Model))
	if err != nil {
		return c, err
	}
	return c, c.plant(nodes, string(from.Current), e.start(c, nodes))
}

// claudeNodes makes a tree of the messages. A message that does not name its parent
// follows the one before it.
func (e *Export) claudeNodes(messages []json.RawMessage, model string) ([]*node, error) {
	var nodes []*node
	seen := map[string][]byte{}
	before := ""
	for i, raw := range messages {
		var m claudeMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, fmt.Errorf("its message %d: %w", i+1, err)
		}
		m.UUID = cmp.Or(m.UUID, fmt.Sprintf("message %d", i+1))
		if earlier := seen[m.UUID]; bytes.Equal(earlier, raw) {
			continue
		} else if earlier != nil {
			return nil, fmt.Errorf("it has a message twice (%q), with other words", m.UUID)
		}
		seen[m.UUID] = raw
		parent := before
		if m.Parent != nil {
			parent = ""
			_ = json.Unmarshal(m.Parent, &parent)
		}
		more, err := e.claudeMessage(m, parent, model)
		if err != nil {
			return nil, fmt.Errorf("its message %d: %w", i+1, err)
		}
		nodes = append(nodes, more...)
		before = m.UUID
	}
	return nodes, nil
}

// claudeMessage returns a message as nodes in a row: words, and the calls of tools between
// them. The last one has the message's id, so that its children follow all.
func (e *Export) claudeMessage(m claudeMessage, parent, model string) ([]*node, error) {
	role := memory.RoleUser
	switch m.Sender {
	case "human", "user":
	case "assistant":
		role = memory.RoleAssistant
	default:
		return nil, fmt.Errorf("the sender is %q", m.Sender)
	}
	pieces := m.pieces(role)
	files, pasted := m.files()
	last := len(pieces) - 1
	if last < 0 || pieces[last].message != nil && pieces[last].message.Role != role && len(files)+len(pasted) > 0 {
		pieces, last = append(pieces, &node{message: &Message{Role: role}}), last+1
	}
	for i, n := range pieces {
		n.id, n.parent, n.at = fmt.Sprintf("%s/%d", m.UUID, i), parent, m.CreatedAt.within(e.now)
		if i == last {
			n.id = m.UUID
			if n.message != nil {
				n.message.Attachments = files
				for _, text := range pasted {
					n.message.paste(text)
				}
			}
		}
		if n.message != nil && n.message.Role == memory.RoleAssistant {
			n.message.Model = model
		}
		if n.message != nil && blank(n.message.Text) && len(n.message.Attachments) == 0 {
			n.message = nil
		}
		parent = n.id
	}
	return pieces, nil
}

// pieces reads the blocks of a message. The flat text has fillers for blocks that the site
// does not render, so it counts only if no block has words.
func (m claudeMessage) pieces(role memory.Role) (pieces []*node) {
	add := func(r memory.Role, text, between string) {
		if blank(text) {
			return
		}
		if n := len(pieces) - 1; n >= 0 && pieces[n].message != nil && pieces[n].message.Role == r {
			pieces[n].message.Text += between + text
			return
		}
		pieces = append(pieces, &node{message: &Message{Role: r, Text: text}})
	}
	words := false
	var blocks []json.RawMessage
	if text := ""; json.Unmarshal(m.Content, &text) == nil {
		words = !blank(text)
		add(role, text, "")
	} else {
		_ = json.Unmarshal(m.Content, &blocks)
	}
	for _, raw := range blocks {
		var b claudeBlock
		if json.Unmarshal(raw, &b) != nil {
			continue
		}
		switch b.Type {
		case "thinking":
			pieces = append(pieces, &node{reasoning: strings.TrimSpace(string(b.Thinking))})
		case "tool_use", "tool_result":
			add(memory.RoleTool, labelled(string(b.Name), b.described()), "\n")
		case "token_budget", "flag":
		default:
			words = words || !blank(string(b.Text))
			add(role, string(b.Text), "\n\n")
		}
	}
	if !words {
		add(role, m.Text, "\n\n")
	}
	return pieces
}

// described returns what a tool was asked, or what it has answered: its texts, or else the
// JSON.
func (b claudeBlock) described() string {
	var out []string
	if b.Message != "" {
		out = append(out, string(b.Message))
	}
	if len(b.Input) > 0 && string(b.Input) != "null" && string(b.Input) != "{}" {
		out = append(out, string(b.Input))
	}
	var text string
	var blocks []json.RawMessage
	switch {
	case json.Unmarshal(b.Content, &text) == nil:
		out = append(out, text)
	case json.Unmarshal(b.Content, &blocks) == nil:
		for _, raw := range blocks {
			var inner struct {
				Type string `json:"type"`
				Text loose  `json:"text"`
			}
			if json.Unmarshal(raw, &inner) == nil && inner.Type == "text" && inner.Text != "" {
				out = append(out, string(inner.Text))
			} else {
				out = append(out, string(raw))
			}
		}
	case len(b.Content) > 0:
		out = append(out, string(b.Content))
	}
	return strings.Join(slices.DeleteFunc(out, blank), "\n")
}

// pasteName matches the name that Claude gives a long text that was pasted.
var pasteName = regexp.MustCompile(`(?i)^paste.*\.txt$`)

// files returns the names of files, each once, and the texts that were pasted. The text of
// a named file is not part of the conversation.
func (m claudeMessage) files() (names, pasted []string) {
	for _, f := range slices.Concat(m.Attachments, m.Files, m.FilesV2) {
		name := baseName(string(f.Name))
		switch {
		case (name == "" || pasteName.MatchString(name)) && f.Text != "":
			pasted = append(pasted, string(f.Text))
		case name != "" && !slices.Contains(names, name):
			names = append(names, name)
		}
	}
	return names, pasted
}

// paste appends a text that the author did not type.
func (m *Message) paste(text string) {
	if m.Text != "" {
		m.Text += "\n\n"
	}
	m.Spans = append(m.Spans, memory.Span{Offset: len(m.Text), Length: len(text), Kind: memory.SpanPasted})
	m.Text += text
}
