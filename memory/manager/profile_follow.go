package manager

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/profile"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/prompts"
)

// profileNow returns the current profile with texts. For an agent without one it is
// created from all items except those of this write, which belong to the next version, so
// that it can be undone. If the newest version is damaged, it returns the one before.
func profileNow(t *write.Tx) (memory.Profile, error) {
	p, err := t.Profile(t.Owner.ID)
	damaged := store.Unreadable(err)
	if damaged {
		p, err = t.ReadableProfile(t.Owner.ID)
	}
	if errors.Is(err, lookup.ErrNotFound) {
		p, err = firstProfile(t)
	}
	if err == nil {
		err = fillLines(t.Tx, &p)
	}
	if err != nil || !damaged {
		return p, err
	}
	news, err := allNews(t) // no update since the damage
	if err == nil {
		p, err = rebuildProfile(t, p, profile.Follow(p, news, t.Now()))
	}
	return p, err
}

// needsFirstProfile reports whether a first profile must be created.
func needsFirstProfile(tx *store.Tx, agent string) (bool, error) {
	begun, err := tx.Count(agent, counter.ProfileBegun)
	if err != nil {
		return false, err
	}
	written, err := tx.Count(agent, counter.Profiles)
	return begun == 0 || written > 0, err // all versions are unreadable
}

func firstProfile(t *write.Tx) (memory.Profile, error) {
	empty := memory.Profile{AgentID: t.Owner.ID, Lines: []memory.ProfileLine{}}
	if due, err := needsFirstProfile(t.Tx, t.Owner.ID); err != nil || !due {
		return empty, err
	}
	news, err := allNews(t)
	if err == nil {
		err = t.Add(t.Owner.ID, counter.ProfileBegun, 1)
	}
	if err != nil {
		return empty, err
	}
	return putProfile(t, empty, attributed(profile.Follow(empty, news, t.Now()), memory.OriginSystem, "begun"))
}

// attributed returns a profile with the given origin and reason.
func attributed(p memory.Profile, by memory.Origin, reason string) memory.Profile {
	p.Origin, p.Reason = by, reason
	p.Items, p.TurnID, p.Generation, p.Undoes = nil, "", "", 0
	return p
}

// allNews returns news of all remembered items that may have a line and are not touched
// by this write.
func allNews(t *write.Tx) (news []profile.News, err error) {
	for it, err := range t.Items(t.Owner.ID) {
		if err != nil {
			return nil, err
		}
		touched := slices.ContainsFunc(t.News, func(n write.ItemNews) bool { return n.ID == it.ID })
		if _, ok := profile.Belongs(it, t.Now()); ok && !touched {
			news = append(news, profile.News{ID: it.ID, Item: &it})
		}
	}
	slices.Reverse(news) // oldest first, in order of arrival
	return news, nil
}

// fitProfile drops lines to fit the limit, and sets the time.
func fitProfile(t *write.Tx, p memory.Profile) (memory.Profile, error) {
	p.Time, p.AgentID = t.Now(), t.Owner.ID
	var err error
	p.Lines, err = profile.Fit(p.Lines, prompts.Tokens)
	var long *profile.TooLongError
	if errors.As(err, &long) {
		return p, fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	}
	return p, err
}

// putProfile writes the next version, unless it equals the current one.
func putProfile(t *write.Tx, now, next memory.Profile) (memory.Profile, error) {
	next, err := fitProfile(t, next)
	if err != nil || profile.Equal(now, next) {
		return now, err
	}
	return writeProfile(t, next)
}

func writeProfile(t *write.Tx, p memory.Profile) (memory.Profile, error) {
	t.Profiled = true
	return t.PutProfile(p)
}

// followItems updates the profile for the items touched by this write (W5).
func followItems(t *write.Tx) error {
	if len(t.News) == 0 {
		return nil
	}
	ids := make([]string, 0, len(t.News))
	for _, n := range t.News {
		ids = append(ids, n.ID)
	}
	news, err := newsOf(t, ids)
	if err != nil {
		return err
	}
	// Most items have no line, and reading all lines for them would dominate their write.
	now, err := t.Profile(t.Owner.ID)
	if store.Unreadable(err) || err == nil && !profile.Concerns(now, news, t.Now()) {
		return nil // a damaged profile must not block writes of items
	}
	if now, err = profileNow(t); err != nil {
		return err
	}
	next := profile.Follow(now, news, t.Now())
	if profile.Equal(now, next) {
		return nil
	}
	items, why := versionReason(t, now, next)
	next = attributed(next, t.News[0].Change.Origin, why)
	next.Items, next.TurnID, next.Generation = items, t.News[0].Change.TurnID, t.News[0].Change.Generation
	_, err = putProfile(t, now, next)
	return err
}

// versionReason returns the items that caused a version, and the reason without content.
func versionReason(t *write.Tx, now, next memory.Profile) (items []string, why string) {
	var actions []string
	had := func(p memory.Profile, id string) string {
		for _, l := range p.Lines {
			if l.ItemID == id {
				return l.Text
			}
		}
		return ""
	}
	for _, n := range t.News {
		if had(now, n.ID) == had(next, n.ID) {
			continue
		}
		if !slices.Contains(items, n.ID) {
			items = append(items, n.ID)
		}
		if a := string(n.Change.Action); !slices.Contains(actions, a) {
			actions = append(actions, a)
		}
	}
	return items, "memory " + strings.Join(actions, ", ")
}

// newsOf reads the current state of items, by id.
func newsOf(t *write.Tx, ids []string) ([]profile.News, error) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	var news []profile.News
	for _, id := range slices.Compact(ids) {
		n := profile.News{ID: id}
		it, err := t.Item(t.Owner.ID, id)
		if err != nil && !lookup.Lacking(err) {
			return nil, err
		}
		if err == nil {
			n.Item = &it
		}
		news = append(news, n)
	}
	return news, nil
}
