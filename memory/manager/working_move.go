package manager

import (
	"maps"

	"memoria/memory"
)

// goesAlong is working memory of the session that turns have moved to: what they
// found out comes over what it knew.
func goesAlong(there, was, before memory.Working, turns map[string]bool, shift int) memory.Working {
	out := there
	out.ContextVariables, out.From = maps.Clone(there.ContextVariables), maps.Clone(there.From)
	if out.ContextVariables == nil {
		out.ContextVariables = map[string]string{}
	}
	if out.From == nil {
		out.From = map[string]string{}
	}
	for name, value := range was.ContextVariables {
		if v, ok := before.ContextVariables[name]; ok && v == value && !turns[was.From[name]] {
			continue // it was known before
		}
		out.ContextVariables[name] = value
		if from := was.From[name]; from != "" {
			out.From[name] = from
		}
	}
	if was.CurrentTopic != "" && before.CurrentTopic != was.CurrentTopic {
		if out.CurrentTopic = was.CurrentTopic; was.From[memory.FieldTopic] != "" {
			out.From[memory.FieldTopic] = was.From[memory.FieldTopic]
		}
	}
	if was.LastEmotion != "" {
		out.LastEmotion = was.LastEmotion
	}
	if was.EditedAt.After(out.EditedAt) {
		out.EditedAt = was.EditedAt
	}
	out.SessionID, out.TurnCount, out.UpdatedAt = there.SessionID, was.TurnCount+shift, was.UpdatedAt
	return out
}

// staysBehind is working memory of the session that turns have left: as the first of
// them saw it, but for what the user wrote since.
func staysBehind(was, before memory.Working, turns map[string]bool) memory.Working {
	if !was.EditedAt.After(before.UpdatedAt) {
		before.EditedAt = was.EditedAt
		return before
	}
	out := was
	out.TurnCount = before.TurnCount
	out.ContextVariables, out.From = maps.Clone(was.ContextVariables), maps.Clone(was.From)
	for name, turn := range was.From {
		if turns[turn] {
			delete(out.ContextVariables, name)
			delete(out.From, name)
		}
	}
	if turns[was.From[memory.FieldTopic]] {
		out.CurrentTopic = before.CurrentTopic
	}
	return out
}
