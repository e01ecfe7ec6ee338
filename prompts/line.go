package prompts

// Line renders one line of a fence, as [Set.Fence] does, without the line break:
// source in brackets, then the text as one JSON string.
func Line(nonce string, l FenceLine) string {
	nonce = cleanNonce(nonce)
	return "[" + label(l.Source, nonce) + "] " + quoteWithout(l.Text, nonce)
}
