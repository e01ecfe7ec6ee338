package cli

import "memoria/ui/config"

// leftBehindNote says which key no longer goes anywhere.
func leftBehindNote(edits, made []config.Edit) (notes []string) {
	for _, e := range made[len(edits):] {
		notes = append(notes, e.Key+" was taken out: a key goes only to the address it was set beside; set it again to send one")
	}
	return notes
}

// outweighed says what counts more than the file at the next start; empty for
// nothing.
func (p *Program) outweighed(key string) string {
	if name, value := config.Variable(p.Env, key); value != "" {
		return name + " is set, and counts more than the file"
	}
	return ""
}
