package prompts

// Line renders one line of a fence, without the line break: source in brackets, then the
// text as one JSON string (invalid UTF-8 becomes U+FFFD).
func Line(nonce string, l FenceLine) string {
	nonce = cleanNonce(nonce)
	return "[" + label(l.Source, nonce) + "] " + quoteWithout(l.Text, nonce)
}

// WishLine renders one of the user's answer preferences, without the line break: a dash,
// then the text as one JSON string (C6).
func WishLine(nonce, text string) string { return "- " + quoteWithout(text, cleanNonce(nonce)) }
