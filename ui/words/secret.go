package words

// Secret says that a message holds secrets of these kinds and that they are not remembered (P5a). How to erase
// the message depends on the front end.
func (w Words) Secret(kinds []string) string {
	id := "secret.one"
	if len(kinds) > 1 {
		id = "secret.several"
	}
	named := make([]string, len(kinds))
	for i, kind := range kinds {
		named[i] = w.Translate(kind)
	}
	return w.Say(id, w.List(named))
}
