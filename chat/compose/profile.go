package compose

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/prompts"
)

// profileLines are the lines of the profile that a turn sends: layer [1] (C1, W5).
// They are sent whole or not at all. Memories that are
// recalled for the message may be among them, because the preview promised them.
type profileLines struct {
	version int
	refs    []memory.Ref // of facts
	said    []string
	wishes  []memory.Ref // of how the user wants to be answered, to be followed (C6)
	wished  []string
}

// profiled reports whether the layer is switched on.
func (b *builder) profiled() bool { return b.on(layerProfile) && b.MemoryConfig.UserProfile }

// gatherProfile reads the profile of now. One that cannot be read must not take the
// conversation down.
func (b *builder) gatherProfile(ctx context.Context) {
	p, err := b.Memory.Profile(ctx, b.Agent.ID)
	if err != nil {
		b.Log.Warn("the profile was not read", "error", err)
		b.out.Package.Dropped = append(b.out.Package.Dropped, memory.Dropped{
			Layer: memory.LayerProfile, What: "the profile", Reason: "it cannot be read",
		})
		return
	}
	b.profile.version = p.Version
	parts, err := b.Memory.ProfileParts(ctx, b.Agent.ID, p.Profile)
	if err != nil {
		b.Log.Warn("whose wishes the profile holds was not read", "error", err)
	}
	for _, part := range parts {
		switch {
		case part.Kind == memory.KindItem && slices.Contains(b.own, part.ID):
		case part.Wish:
			part.Form, part.Source = memory.FormWish, ""
			b.profile.wishes, b.profile.wished = append(b.profile.wishes, part.Ref), append(b.profile.wished, part.Said)
		default:
			b.profile.refs, b.profile.said = append(b.profile.refs, part.Ref), append(b.profile.said, part.Said)
		}
	}
}

// profileSections are the facts about the user, in the fence, and beside it the wishes of
// the user.
func (b *builder) profileSections() ([]section, error) {
	out, err := b.data(memory.LayerProfile, "", 0, b.profile.refs, b.profile.said)
	if err == nil && len(b.profile.wishes) > 0 {
		var wishes section
		wishes, err = b.plain(memory.LayerProfile, prompts.WishesHeader, nil)
		wishes.Nonce, wishes.Parts = b.nonce, append(wishes.Parts, b.profile.wishes...)
		for i, ref := range b.profile.wishes {
			wishes.Tokens += b.count(lookup.Written(ref, b.nonce, b.profile.wished[i]))
		}
		out = append(out, wishes)
	}
	for i := range out {
		out[i].Note = fmt.Sprintf("version %d", b.profile.version)
	}
	return out, err
}

// dropProfile leaves the profile out where the model's context is too small for it.
func (b *builder) dropProfile() bool {
	if len(b.profile.refs) == 0 && len(b.profile.wishes) == 0 {
		return false
	}
	b.profile = profileLines{}
	b.out.Package.Dropped = append(b.out.Package.Dropped, memory.Dropped{
		Layer: memory.LayerProfile, What: "the profile", Reason: "over the model's context",
	})
	return true
}
