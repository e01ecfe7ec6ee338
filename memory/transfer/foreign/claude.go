package foreign

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"memoria/memory"
)

// The parts of Claude's format that are read.
type (
	claudeConversation struct {
		UUID           string          `json:"uuid"`
		Name           string          `json:"name"`
		CreatedAt      moment          `json:"created_at"`
		UpdatedAt      moment          `json:"updated_at"`
		Model          string          `json:"model"`
		Messages       []claudeMessage `json:"chat_messages"`
		Current        string          `json:"current_leaf_message_uuid"`
		ChatGPTMapping json.RawMessage `json:"mapping"`
	}
	claudeMessage struct {
		UUID        string        `json:"uuid"`
		Parent      *string       `json:"parent_message_uuid"`
		Sender      string        `json:"sender"`
		CreatedAt   moment        `json:"created_at"`
		Text        string        `json:"text"`
		Content     []claudeBlock `json:"content"`
		Attachments []claudeFile  `json:"attachments"`
		Files       []claudeFile  `json:"files"`
	}
	claudeBlock struct {
		Type     string          `json:"type"`
		Text     string          `json:"text"`
		Thinking string          `json:"thinking"`
		Name     string          `json:"name"`
		Input    json.RawMessage `json:"input"`
	}
	claudeFile struct {
		Name string `json:"file_name"`
		Text string `json:"extracted_content"`
	}
	// artifact is the input of the tool that shows a document beside the conversation.
	artifact struct {
		Title    string `json:"title"`
		Language string `json:"language"`
		Content  string `json:"content"`
	}
)

func (e *Export) claude(text []byte) (Conversation, *ConversationError) {
	var from claudeConversation
	err := json.Unmarshal(text, &from)
	c := Conversation{
		ID:      from.UUID,
		Title:   from.Name,
		Model:   from.Model,
		Created: from.CreatedAt.within(e.now),
		Updated: from.UpdatedAt.within(e.now),
	}
	switch {
	case err != nil:
	case from.Messages == nil && from.ChatGPTMapping != nil:
		err = errors.New("this is an export of ChatGPT: use the format chatgpt")
	case from.Messages == nil:
		err = errors.New("it has no messages (\"chat_messages\")")
	case c.ID == "":
		err = errors.New("it has no id")
	default:
		nodes := e.claudeNodes(from)
		current := from.Current
		if current == "" && len(nodes) > 0 {
			current = nodes[len(nodes)-1].id
		}
		err = c.plant(nodes, current, e.start(c))
	}
	return c, left(c, err)
}

// claudeNodes makes a tree of the messages. Without ids of parents each follows the one
// before it.
func (e *Export) claudeNodes(from claudeConversation) []*node {
	var nodes []*node
	before := ""
	for _, m := range from.Messages {
		n := &node{id: m.UUID, parent: before, at: m.CreatedAt.within(e.now), message: m.shown()}
		if m.Parent != nil {
			n.parent = *m.Parent
		}
		before = m.UUID
		nodes = append(nodes, n)
	}
	return nodes
}

// shown returns the message as Claude shows it, or nil if it is empty.
func (m claudeMessage) shown() *Message {
	out := Message{}
	switch m.Sender {
	case "human", "user":
		out.Role = memory.RoleUser
	case "assistant":
		out.Role = memory.RoleAssistant
	default:
		return nil
	}
	var texts, thoughts []string
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			texts = append(texts, strings.TrimSpace(b.Text))
		case "thinking":
			thoughts = append(thoughts, strings.TrimSpace(b.Thinking))
		case "tool_use":
			var a artifact
			if b.Name == "artifacts" && json.Unmarshal(b.Input, &a) == nil && a.Content != "" {
				texts = append(texts, strings.TrimSpace(a.Title+"\n\n"+fence(a.Content, a.Language)))
			}
		}
	}
	out.Text = cmp.Or(strings.TrimSpace(strings.Join(texts, "\n\n")), strings.TrimSpace(m.Text))
	out.Reasoning = strings.Join(thoughts, "\n\n")
	for _, f := range append(m.Attachments, m.Files...) {
		if f.Name != "" {
			out.Attachments = append(out.Attachments, f.Name)
		}
		if f.Text != "" {
			out.paste(f.Text)
		}
	}
	if out.Text == "" && len(out.Attachments) == 0 {
		return nil
	}
	return &out
}

// paste appends a text that the author did not type.
func (m *Message) paste(text string) {
	if m.Text != "" {
		m.Text += "\n\n"
	}
	m.Spans = append(m.Spans, memory.Span{Offset: len(m.Text), Length: len(text), Kind: memory.SpanPasted})
	m.Text += text
}

// start returns the time from which messages without a time count.
func (e *Export) start(c Conversation) time.Time {
	for _, t := range []time.Time{c.Created, c.Updated, e.written} {
		if !t.IsZero() {
			return t
		}
	}
	return earliest
}

// left returns the error of a conversation that is left out, or nil.
func left(c Conversation, err error) *ConversationError {
	if err == nil {
		return nil
	}
	return &ConversationError{ID: c.ID, Title: c.Title, Err: err}
}
