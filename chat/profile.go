package chat

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/prompts"
)

// profileLines are the lines of the profile that a turn sends: layer [1] (C1, W5).
// They are sent whole or not at all. What is recalled for the message may be among
// them: it is what the message is about, and the preview promised it.
type profileLines struct {
	version int
	refs    []memory.Ref
	said    []string
}

// profiled reports whether the layer is switched on.
func (b *composer) profiled() bool { return b.on(layerProfile) && b.set.memory.UserProfile }

// gatherProfile reads the profile of now. One that cannot be read must not take the
// conversation down.
func (b *composer) gatherProfile(ctx context.Context) {
	p, err := b.c.memory.Profile(ctx, b.agent.ID)
	if err != nil {
		b.c.log.Warn("the profile was not read", "error", err)
		b.out.pkg.Dropped = append(b.out.pkg.Dropped, memory.Dropped{
			Layer: memory.LayerProfile, What: "the profile", Reason: "it cannot be read",
		})
		return
	}
	b.profile.version = p.Version
	refs, said := manager.ProfileRefs(p.Profile)
	for i, ref := range refs {
		if ref.Kind != memory.KindItem || !slices.Contains(b.own, ref.ID) {
			b.profile.refs, b.profile.said = append(b.profile.refs, ref), append(b.profile.said, said[i])
		}
	}
}

func (b *composer) profileBlock() ([]memory.Block, error) {
	blocks, err := b.fence(memory.LayerProfile, prompts.ProfileHeader, b.c.frontNonce, 0, b.profile.refs, b.profile.said)
	for i := range blocks {
		blocks[i].Note = fmt.Sprintf("version %d", b.profile.version)
	}
	return blocks, err
}

// dropProfile leaves the profile out where the model's context is too small for it.
func (b *composer) dropProfile() bool {
	if len(b.profile.refs) == 0 {
		return false
	}
	b.profile = profileLines{}
	b.out.pkg.Dropped = append(b.out.pkg.Dropped, memory.Dropped{
		Layer: memory.LayerProfile, What: "the profile", Reason: "over the model's context",
	})
	return true
}
