package policy

import (
	"strings"

	"memoria/memory"
)

func goal(key string, o, when part, content string) draft {
	d := draft{
		typ: memory.TypeGoal, key: key, st: Statement{Value: o.raw, When: when.raw}, content: content,
		tags: []string{"goal", "目标"}, importance: importanceGoal, reason: "a goal or a commitment",
	}
	if !when.empty() {
		d.content += " " + when.raw
		d.tags = append(d.tags, "date")
	}
	d.content = sentenceCase(strings.TrimSpace(d.content))
	return d
}
