package policy

import (
	"memoria/memory"
)

func preference(o part, pol Polarity, content string) draft {
	return draft{
		typ: memory.TypePreference, key: "preference/" + objectKey(o.fold), content: content,
		st: Statement{Value: o.raw, Polarity: pol}, tags: []string{"preference", "喜好"},
		importance: importancePreference, reason: "a preference of the user",
	}
}

// pairPreference is a choice between two things. Its key is the pair in fixed order, so that the opposite
// choice contradicts it.
func pairPreference(o, over part, content string) draft {
	d := preference(o, Positive, content)
	a, b := objectKey(o.fold), objectKey(over.fold)
	if b < a {
		a, b = b, a
	}
	d.key = "preference/" + a + "|" + b
	d.st.Over = over.raw
	return d
}

// seldomEN says of one of several tools how much it is used.
var seldomEN = expr(`\s+(?:only|instead|sometimes|occasionally|rarely|mostly|too|etc\.?|as well)$`)

var techWord = expr(`\b(?:(?:neo)?vim?|emacs|nano|vs ?code|helix|zed|sublime|jetbrains|intellij|pycharm|goland|xcode|arch|debian|ubuntu|fedora|nixos|gentoo|linux|windows|macos|mac|freebsd|android|ios|iphone|pixel|zsh|bash|fish|tmux|kitty|alacritty|wezterm|iterm2?|pnpm|npm|yarn|bun|deno|node|poetry|uv|pip|conda|cargo|go|golang|python|rust|typescript|javascript|java|kotlin|swift|ruby|elixir|haskell|ocaml|scala|clojure|c\+\+|c#|r|julia|lua|zig|react|vue|svelte|angular|django|flask|fastapi|rails|laravel|next\.?js|postgres(?:ql)?|mysql|sqlite|mongodb|redis|docker|podman|kubernetes|k3s|terraform|ansible|nix|git|jj|mercurial|github|gitlab|obsidian|notion|logseq|anki|todoist|firefox|chrome|safari|brave|vivaldi|signal|telegram|whatsapp|slack|discord|dvorak|colemak|qwerty|tabs|spaces|metric(?: units)?|imperial(?: units)?|celsius|fahrenheit|latex|typst|markdown|org-?mode|i3|sway|hyprland|gnome|kde|homebrew|tailwind|bootstrap|figma|sketch|photoshop|illustrator|blender|excel|powerpoint)\b`)

// usesEN is that the user works with a tool or, where uses is false, that he does not; why may follow its name.
func usesEN(o part, uses bool, why string) draft {
	pol, verb := Positive, "Uses "
	if !uses {
		pol, verb = Negative, "Does not use "
	}
	return draft{
		typ: memory.TypeFact, key: "use/" + objectKey(o.fold), content: verb + o.raw + why + ".", st: Statement{Value: o.raw, Polarity: pol},
		tags: []string{"tool", "工具"}, importance: importancePreference, reason: "what the user works with",
	}
}

// tools makes of a list of tools one item each, as long as each of them is known as a tool.
func tools(s *scene) []draft {
	list := s.object("o").whole().list()
	uses := s.object("neg").empty()
	var out []draft
	for _, o := range list {
		often := seldomEN.Find(o.fold)
		if often != nil {
			o = o.upTo(often[0])
		}
		if len(list) < 2 || size(o.fold) > 2 || !techWord.Match(o.fold) {
			return nil
		}
		if often != nil && !uses { // "I don't use Windows, Mac only"
			break
		}
		out = append(out, usesEN(o, uses, ""))
	}
	return out
}
