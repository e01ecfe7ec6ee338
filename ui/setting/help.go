package setting

import "strings"

// Help is what the example of the configuration file says about the settings.
type Help struct {
	Keys []string          // every setting, in its order
	of   map[string]string // the comment of a setting
	on   map[string]string // the comment of a table
}

// Of is the help of a setting: its own comment, or else its table's.
func (h Help) Of(key string) string {
	if text := h.of[key]; text != "" {
		return text
	}
	return h.on[key[:max(0, strings.LastIndexByte(key, '.'))]]
}

// ParseHelp reads the comments of an example of the configuration file: a comment
// stands above what it is about, and also holds for what follows without one of its
// own. An empty line ends that. Settings that are commented out are no settings.
func ParseHelp(example string) Help {
	h := Help{of: map[string]string{}, on: map[string]string{}}
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
			h.on[name], comment, fresh = comment, "", true
		default:
			name, _, ok := strings.Cut(line, "=")
			if !ok {
				continue
			}
			key := table + strings.TrimSpace(name)
			h.Keys = append(h.Keys, key)
			h.of[key], fresh = comment, true
		}
	}
	return h
}
