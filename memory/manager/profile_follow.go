package manager

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/profile"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/prompts"
)

// profileNow is the profile to begin from, with its words. Of an agent that has none
// it is made of all that is remembered but for what this write brings: that is the
// next version, so that it can be undone. When the newest version is damaged, the user
// goes on from the one before.
func (t *tx) profileNow() (memory.Profile, error) {
	p, err := t.Profile(t.a.id)
	damaged := store.Unreadable(err)
	if damaged {
		p, err = t.ReadableProfile(t.a.id)
	}
	if errors.Is(err, ErrNotFound) {
		p, err = t.firstProfile()
	}
	if err == nil {
		err = worded(t.Tx, &p)
	}
	if err != nil || !damaged {
		return p, err
	}
	news, err := t.allNews() // nothing has followed since the damage
	if err == nil {
		p, err = t.mended(p, profile.Follow(p, news, t.Now()))
	}
	return p, err
}

// unbegun reports whether a first profile has yet to be made.
func unbegun(tx *store.Tx, agent string) (bool, error) {
	begun, err := tx.Count(agent, counter.ProfileBegun)
	if err != nil {
		return false, err
	}
	written, err := tx.Count(agent, counter.Profiles)
	return begun == 0 || written > 0, err // written, and none can be read any more
}

func (t *tx) firstProfile() (memory.Profile, error) {
	empty := memory.Profile{AgentID: t.a.id, Lines: []memory.ProfileLine{}}
	if due, err := unbegun(t.Tx, t.a.id); err != nil || !due {
		return empty, err
	}
	news, err := t.allNews()
	if err == nil {
		err = t.Add(t.a.id, counter.ProfileBegun, 1)
	}
	if err != nil {
		return empty, err
	}
	return t.putProfile(empty, made(profile.Follow(empty, news, t.Now()), memory.OriginSystem, "begun"))
}

// made is a profile with its maker in the place of the one it came from.
func made(p memory.Profile, by memory.Origin, reason string) memory.Profile {
	p.Origin, p.Reason = by, reason
	p.Items, p.TurnID, p.Generation, p.Undoes = nil, "", "", 0
	return p
}

// allNews is what has a line, or might have, of all that is remembered and is not
// touched by this write.
func (t *tx) allNews() (news []profile.News, err error) {
	for it, err := range t.Items(t.a.id) {
		if err != nil {
			return nil, err
		}
		touched := slices.ContainsFunc(t.news, func(n itemNews) bool { return n.id == it.ID })
		if _, ok := profile.Belongs(it, t.Now()); ok && !touched {
			news = append(news, profile.News{ID: it.ID, Item: &it})
		}
	}
	slices.Reverse(news) // the oldest first, as they came
	return news, nil
}

// fitted makes room, and says when the next version was written.
func (t *tx) fitted(p memory.Profile) (memory.Profile, error) {
	p.Time, p.AgentID = t.Now(), t.a.id
	var err error
	p.Lines, err = profile.Fit(p.Lines, prompts.Tokens)
	var long *profile.TooLongError
	if errors.As(err, &long) {
		return p, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return p, err
}

// putProfile writes the next version, unless nothing is other in it.
func (t *tx) putProfile(now, next memory.Profile) (memory.Profile, error) {
	next, err := t.fitted(next)
	if err != nil || profile.Equal(now, next) {
		return now, err
	}
	return t.writeProfile(next)
}

func (t *tx) writeProfile(p memory.Profile) (memory.Profile, error) {
	t.profiled = true
	return t.PutProfile(p)
}

// itemNews is a change of an item that its line has to follow.
type itemNews struct {
	id     string
	change memory.Change
}

// tellProfile has the profile follow an item, in the same write.
func (t *tx) tellProfile(id string, c memory.Change) { t.news = append(t.news, itemNews{id, c}) }

// followItems brings the profile up to date with the items that this write touched
// (W5).
func (t *tx) followItems() error {
	if len(t.news) == 0 {
		return nil
	}
	ids := make([]string, 0, len(t.news))
	for _, n := range t.news {
		ids = append(ids, n.id)
	}
	news, err := t.newsOf(ids)
	if err != nil {
		return err
	}
	// Most items are none of the profile's; reading all its lines for them would be
	// most of their write.
	now, err := t.Profile(t.a.id)
	if store.Unreadable(err) || err == nil && !profile.Concerns(now, news, t.Now()) {
		return nil // a damaged page must not keep anybody from his memories
	}
	if now, err = t.profileNow(); err != nil {
		return err
	}
	next := profile.Follow(now, news, t.Now())
	if profile.Equal(now, next) {
		return nil
	}
	items, why := t.whatHappened(now, next)
	next = made(next, t.news[0].change.Origin, why)
	next.Items, next.TurnID, next.Generation = items, t.news[0].change.TurnID, t.news[0].change.Generation
	_, err = t.putProfile(now, next)
	return err
}

// whatHappened says which items make a version, and in words without content why.
func (t *tx) whatHappened(now, next memory.Profile) (items []string, why string) {
	var actions []string
	had := func(p memory.Profile, id string) string {
		for _, l := range p.Lines {
			if l.ItemID == id {
				return l.Text
			}
		}
		return ""
	}
	for _, n := range t.news {
		if had(now, n.id) == had(next, n.id) {
			continue
		}
		if !slices.Contains(items, n.id) {
			items = append(items, n.id)
		}
		if a := string(n.change.Action); !slices.Contains(actions, a) {
			actions = append(actions, a)
		}
	}
	return items, "memory " + strings.Join(actions, ", ")
}

// newsOf reads what became of items, in the order of their ids.
func (t *tx) newsOf(ids []string) ([]profile.News, error) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	var news []profile.News
	for _, id := range slices.Compact(ids) {
		n := profile.News{ID: id}
		it, err := t.Item(t.a.id, id)
		if err != nil && !lacking(err) {
			return nil, err
		}
		if err == nil {
			n.Item = &it
		}
		news = append(news, n)
	}
	return news, nil
}
