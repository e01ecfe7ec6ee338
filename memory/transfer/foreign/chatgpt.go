package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
)

// The parts of ChatGPT's format that are read.
type (
	chatgptConversation struct {
		ID             loose           `json:"id"`
		OtherID        loose           `json:"conversation_id"`
		Title          loose           `json:"title"`
		CreateTime     moment          `json:"create_time"`
		UpdateTime     moment          `json:"update_time"`
		Mapping        json.RawMessage `json:"mapping"`
		CurrentNode    loose           `json:"current_node"`
		DefaultModel   loose           `json:"default_model_slug"`
		ClaudeMessages json.RawMessage `json:"chat_messages"`
	}
	chatgptNode struct {
		Parent   json.RawMessage `json:"parent"`
		Children []string        `json:"children"`
		Message  *chatgptMessage `json:"message"`
	}
	chatgptMessage struct {
		Author struct {
			Role string `json:"role"`
			Name loose  `json:"name"`
		} `json:"author"`
		CreateTime moment         `json:"create_time"`
		Content    chatgptContent `json:"content"`
		Recipient  loose          `json:"recipient"`
		Metadata   struct {
			Hidden      bool  `json:"is_visually_hidden_from_conversation"`
			Model       loose `json:"model_slug"`
			Attachments []struct {
				ID   loose `json:"id"`
				Name loose `json:"name"`
			} `json:"attachments"`
		} `json:"metadata"`
	}
	chatgptContent struct {
		Type     string            `json:"content_type"`
		Parts    []json.RawMessage `json:"parts"`
		Text     loose             `json:"text"`
		Result   loose             `json:"result"`
		Title    loose             `json:"title"`
		URL      loose             `json:"url"`
		Name     loose             `json:"name"`
		Thoughts []struct {
			Summary loose `json:"summary"`
			Content loose `json:"content"`
		} `json:"thoughts"`
	}
	chatgptPart struct {
		Text    loose        `json:"text"`
		Pointer loose        `json:"asset_pointer"`
		Audio   *chatgptPart `json:"audio_asset_pointer"`
	}
)

func (e *Export) chatgpt(text []byte) (Conversation, error) {
	var from chatgptConversation
	err := json.Unmarshal(text, &from)
	c := Conversation{
		ID:      cmp.Or(string(from.ID), string(from.OtherID)),
		Title:   string(from.Title),
		Created: from.CreateTime.within(e.now),
		Updated: from.UpdateTime.within(e.now),
	}
	if from.DefaultModel != "auto" {
		c.Model = string(from.DefaultModel)
	}
	switch {
	case err != nil:
		return c, err
	case from.Mapping == nil && from.ClaudeMessages != nil:
		return c, &OtherFormatError{Is: Claude, Asked: ChatGPT}
	case len(from.Mapping) == 0 && c.ID == "":
		return c, fmt.Errorf(`%w: there is no "mapping"`, errOther)
	case len(from.Mapping) == 0 || string(from.Mapping) == "null":
		return c, ErrEmpty
	}
	nodes, err := e.chatgptNodes(from.Mapping, c.Model)
	if err != nil {
		return c, err
	}
	return c, c.plant(nodes, string(from.CurrentNode), e.start(c, nodes))
}

// chatgptNodes reads the nodes in the order of the file. A map would lose one whose key
// occurs twice.
func (e *Export) chatgptNodes(mapping json.RawMessage, model string) ([]*node, error) {
	d := json.NewDecoder(bytes.NewReader(mapping))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf(`%w: "mapping" is not an object`, errOther)
	}
	var nodes []*node
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		id, _ := key.(string)
		var from *chatgptNode
		if err := d.Decode(&from); err != nil {
			return nil, fmt.Errorf("its message %q: %w", id, err)
		}
		if from == nil {
			continue
		}
		n := &node{id: id, children: from.Children, orphan: from.Parent == nil}
		_ = json.Unmarshal(from.Parent, &n.parent)
		if m := from.Message; m != nil {
			n.at = m.CreateTime.within(e.now)
			n.message = e.chatgptMessage(m, model)
			if m.Content.Type == "thoughts" {
				n.reasoning = m.Content.reasoning()
			}
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// chatgptMessage returns the message as ChatGPT shows it, or nil if it does not.
func (e *Export) chatgptMessage(m *chatgptMessage, model string) *Message {
	switch m.Content.Type {
	case "user_editable_context", "model_editable_context", "reasoning_recap", "thoughts":
		return nil
	}
	if m.Metadata.Hidden {
		return nil
	}
	words, pointers := m.Content.read()
	out := Message{Text: words, Attachments: e.chatgptNames(m, pointers)}
	toTool := m.Recipient != "" && m.Recipient != "all" && m.Recipient != "assistant"
	switch {
	case m.Author.Role == "tool" || toTool:
		out.Role = memory.RoleTool
		out.Text = labelled(cmp.Or(string(m.Author.Name), string(m.Recipient)), m.Content.described(words))
	case m.Author.Role == "user":
		out.Role = memory.RoleUser
	case m.Author.Role == "assistant":
		out.Role, out.Model = memory.RoleAssistant, cmp.Or(string(m.Metadata.Model), model)
	default:
		return nil
	}
	if blank(out.Text) && len(out.Attachments) == 0 {
		return nil
	}
	return &out
}

// labelled puts the name of a tool before what it was asked or has answered.
func labelled(name, text string) string {
	if name == "" || blank(text) {
		return text
	}
	return name + ": " + text
}

// read returns the words of all parts, and the pointers to files.
func (c chatgptContent) read() (words string, pointers []string) {
	var texts []string
	if c.Text != "" {
		texts = append(texts, string(c.Text))
	}
	for _, raw := range c.Parts {
		var s string
		var p chatgptPart
		switch {
		case json.Unmarshal(raw, &s) == nil:
			texts = append(texts, s)
		case json.Unmarshal(raw, &p) != nil:
		case p.Audio != nil && p.Audio.Pointer != "":
			pointers = append(pointers, string(p.Audio.Pointer))
		case p.Pointer != "":
			pointers = append(pointers, string(p.Pointer))
		case p.Text != "":
			texts = append(texts, string(p.Text))
		}
	}
	texts = slices.DeleteFunc(texts, func(s string) bool { return s == "" })
	return strings.Join(texts, "\n"), pointers
}

// described returns all words of a tool's call or result.
func (c chatgptContent) described(words string) string {
	var lines []string
	for _, s := range []string{string(c.Title), string(c.URL), string(c.Name), string(c.Result), words} {
		if !blank(s) {
			lines = append(lines, s)
		}
	}
	return strings.Join(lines, "\n")
}

func (c chatgptContent) reasoning() string {
	var texts []string
	for _, t := range c.Thoughts {
		texts = append(texts, strings.TrimSpace(string(t.Summary+"\n\n"+t.Content)))
	}
	return strings.Join(texts, "\n\n")
}

// chatgptNames returns the names of a message's files, each once. A pointer is a scheme and
// the id of a file.
func (e *Export) chatgptNames(m *chatgptMessage, pointers []string) []string {
	named := map[string]string{}
	var ids []string
	for _, p := range pointers {
		if _, id, found := strings.Cut(p, "://"); found {
			p = id
		}
		ids = append(ids, p)
	}
	for _, a := range m.Metadata.Attachments {
		named[string(a.ID)] = string(a.Name)
		if !slices.Contains(ids, string(a.ID)) || a.ID == "" {
			ids = append(ids, cmp.Or(string(a.ID), string(a.Name)))
		}
	}
	var names []string
	for _, id := range ids {
		name := baseName(cmp.Or(named[id], e.names[id+".dat"], id))
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
