package config

import "strings"

// help is what the example of the configuration file says about the settings.
type help struct {
	keys     []string          // every setting, in order
	settings map[string]string // the comment of a setting
	tables   map[string]string // the comment of a table
}

// of returns the help of a setting: its own comment, or else its table's.
func (h help) of(key string) string {
	if text := h.settings[key]; text != "" {
		return text
	}
	return h.tables[key[:max(0, strings.LastIndexByte(key, '.'))]]
}

// parseHelp reads the comments of an example of the configuration file. A comment
// belongs to the line below it, and to the lines after that without a comment of their
// own, up to an empty line. Settings that are commented out are ignored.
func parseHelp(example string) help {
	h := help{settings: map[string]string{}, tables: map[string]string{}}
	table, comment, fresh := "", "", true
	for line := range strings.Lines(example) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			comment, fresh = "", true
		case strings.HasPrefix(line, "#"):
			if fresh {
				comment, fresh = "", false
			}
			comment = strings.TrimSpace(comment + " " + strings.TrimSpace(line[1:]))
		case strings.HasPrefix(line, "["):
			name, _, _ := strings.Cut(line[1:], "]")
			table = name + "."
			h.tables[name], comment, fresh = comment, "", true
		default:
			name, _, ok := strings.Cut(line, "=")
			if !ok {
				continue
			}
			key := table + strings.TrimSpace(name)
			h.keys = append(h.keys, key)
			h.settings[key], fresh = comment, true
		}
	}
	return h
}
