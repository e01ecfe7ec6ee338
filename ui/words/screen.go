package words

// Screen is the wording of the panes of the screen, whose own texts are in English.
var Screen Pictures

// Fate says in English what became of a message that is gone.
func (q Quote) Fate() string { return fate(Screen.Words, q) }
