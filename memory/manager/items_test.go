package manager_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/lookup"
)

func TestAddAndEdit(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	it := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "  Plays the cello ", Type: memory.TypeFact}))(t)
	if it.Content != "Plays the cello" || it.Trust != memory.TrustUser || it.Origin != memory.OriginUser || it.Version != 1 {
		t.Errorf("added: %+v", it)
	}
	edited := must(m.Learning().EditItem(ctx, luna, it.ID[len(it.ID)-8:], func(it *memory.Item) { it.Content = "Plays the viola" }))(t)
	if edited.Version != 2 || edited.ID != it.ID || !edited.CreatedAt.Equal(it.CreatedAt) {
		t.Errorf("edited: %+v", edited)
	}
	if got := recalled(t, m, luna, "who plays the viola"); len(got) != 1 {
		t.Errorf("recalled %v", contents(got))
	}
	if got := recalled(t, m, luna, "cello"); len(got) != 0 {
		t.Errorf("the old words recall %v", contents(got))
	}
	for name, edit := range map[string]func(*memory.Item){
		"empty":      func(it *memory.Item) { it.Content = " " },
		"long":       func(it *memory.Item) { it.Content = strings.Repeat("长", 601) },
		"type":       func(it *memory.Item) { it.Type = "mood" },
		"confidence": func(it *memory.Item) { it.Confidence = 1.5 },
		"value":      func(it *memory.Item) { it.Value = []byte("{") },
		"utf8":       func(it *memory.Item) { it.Content = "\xff" },
	} {
		if _, err := m.Learning().EditItem(ctx, luna, it.ID, edit); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	now := must(m.Lookup().Item(ctx, luna, it.ID))(t)
	if diff := cmp.Diff(edited, now); diff != "" {
		t.Errorf("a refused edit changed it:\n%s", diff)
	}
	history := must(m.Lookup().History(ctx, luna, it.ID))(t)
	if len(history) != 2 || history[1].Action != memory.ActionEdited {
		t.Errorf("history: %+v", history)
	}
}

func TestLookingIsNotUsing(t *testing.T) {
	m, _ := open(t)
	_, changes := say(t, m, luna, "", "I like oolong tea")
	recalled(t, m, luna, "oolong")
	must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{}))(t)
	if it := must(m.Lookup().Item(t.Context(), luna, changes[0].ItemID))(t); it.AccessCount != 0 || !it.LastAccessed.IsZero() {
		t.Errorf("%+v", it)
	}
}

func TestFilter(t *testing.T) {
	m, _ := open(t)
	for _, s := range []string{"Drinks Oolong tea", "喜歡喝普洱茶", "Runs on Fridays"} {
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: s}))(t)
	}
	for want, n := range map[string]int{"": 3, "OOLONG": 1, "喜欢": 1, "tea oolong": 1, "nothing": 0, "fact": 3} {
		page := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{Text: want}))(t)
		if page.Total != n {
			t.Errorf("%q lists %v", want, contents(page.Items))
		}
	}
	page := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{Limit: 1, Offset: 1}))(t)
	if page.Total != 3 || !slices.Equal(contents(page.Items), []string{"喜歡喝普洱茶"}) {
		t.Errorf("page: %d %v", page.Total, contents(page.Items))
	}
}

func TestOneItemForASlot(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	_, first := say(t, m, luna, "", "My name is Bo")
	key := first[0].Item.Key
	by := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Name is Max", Key: key}))(t)
	if old := must(m.Lookup().Item(ctx, luna, first[0].ItemID))(t); old.SupersededBy != by.ID || old.IsActive() {
		t.Errorf("the old one: %+v", old)
	}
	other := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Name is Kim"}))(t)
	other = must(m.Learning().EditItem(ctx, luna, other.ID, func(it *memory.Item) { it.Key = key }))(t)
	if other.Supersedes != by.ID {
		t.Errorf("edited into the slot: %+v", other)
	}
	d := must(m.DeleteItems(ctx, luna, other.ID))(t)
	_, again := say(t, m, luna, "", "My name is Kim")
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	page := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{}))(t)
	if page.Total != 1 || page.Items[0].ID != again[0].ItemID {
		t.Errorf("active: %v", contents(page.Items))
	}
}

// A title that repeats words of the content goes with them; another stays.
func TestTitleFollowsContent(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	for _, c := range []struct{ title, before, after, want string }{
		{"oolong tea", "Likes oolong tea.", "Likes green tea.", ""},
		{"Drinks", "Likes oolong tea.", "Likes green tea.", "Drinks"},
		{"Name", "Name is Bo.", "Name is Max.", "Name"},
		{"普洱茶", "喜欢喝普洱茶", "喜欢喝咖啡", ""},
	} {
		it := must(m.Learning().AddItem(ctx, luna, memory.Item{Title: c.title, Content: c.before}))(t)
		it = must(m.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.Importance = 0.7 }))(t)
		if it.Title != c.title {
			t.Errorf("%q: another edit makes it %q", c.title, it.Title)
		}
		if it = must(m.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.Content = c.after }))(t); it.Title != c.want {
			t.Errorf("%q becomes %q", c.title, it.Title)
		}
		it = must(m.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.Content, it.Title = c.before, "mine: "+c.after }))(t)
		if it.Title != "mine: "+c.after {
			t.Errorf("the user's own title became %q", it.Title)
		}
	}
}

// P4: a key that names what the content was about goes with those words; a slot
// and the user's own key stay.
func TestKeyFollowsContent(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	for _, c := range []struct{ key, before, after, want string }{
		{"preference/晚上喝乌龙茶", "喜欢晚上喝乌龙茶", "喜欢晚上喝普洱茶", "note/"},
		{"preference/green tea", "Likes green tea.", "Likes black tea.", "note/"},
		{"preference/tea", "Likes green tea.", "Likes black tea.", "preference/tea"},
		{"city", "Lives in Lyon.", "Lives in Paris.", "city"},
	} {
		it := must(m.Learning().AddItem(ctx, luna, memory.Item{Key: c.key, Content: c.before}))(t)
		want := c.want
		if want == "note/" {
			want += it.ID
		}
		if it = must(m.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.Content = c.after }))(t); it.Key != want {
			t.Errorf("%s becomes %s", c.key, it.Key)
		}
		it = must(m.Learning().EditItem(ctx, luna, it.ID, func(it *memory.Item) { it.Content, it.Key = c.before+"!", "own/"+c.after }))(t)
		if it.Key != "own/"+c.after {
			t.Errorf("the user's own key became %s", it.Key)
		}
	}
}

// Q3: a list counts what it could not read.
func TestItemsCountUnreadable(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), newClock()
	m := openAt(t, dir, c, nil)
	lost := must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Likes tea"}))(t)
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Likes coffee"}))(t)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	spoil(t, dir, 1, "items", luna, lost.ID)
	m = openAt(t, dir, c, nil)
	for _, text := range []string{"", "coffee"} {
		if page := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{Text: text}))(t); page.Total != 1 || page.Unreadable != 1 {
			t.Errorf("%q: %d, and %d cannot be read", text, page.Total, page.Unreadable)
		}
	}
}
