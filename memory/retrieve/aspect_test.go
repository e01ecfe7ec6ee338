package retrieve_test

import (
	"testing"

	"memoria/memory"
	"memoria/memory/retrieve"
)

// R3a: of what is known of somebody, an answer without a model has what the question asks, and all of it where none has that.
func TestHasAsked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked string
		known []string
		has   []bool
	}{
		{"how old is Rory", []string{"Rory is 9.", "Rory plays football."}, []bool{true, false}},
		{"how old is Rory", []string{"Rory plays football.", "Rory has a cat."}, []bool{true, true}},
		{"how much do i owe shona", []string{"I owe shona 200.", "Gave shona back 120 of it.", "Sister is called Shona."}, []bool{true, true, false}},
		{"who owes me money", []string{"I owe shona 200.", "Tom owes me 50."}, []bool{false, true}},
		{"哪个欠我钱", []string{"我欠李倩五千块", "弟欠我2000"}, []bool{false, true}},
		{"我还欠谁钱", []string{"我欠李倩五千块", "弟欠我2000"}, []bool{true, false}},
		{"我妹住哪儿", []string{"妹妹住在成都", "妹妹喜欢画画"}, []bool{true, false}},
		{"when is the boiler service", []string{"Boiler service on 4 May.", "Boiler is a Vaillant."}, []bool{true, true}},
	} {
		var items []memory.Item
		for _, k := range c.known {
			items = append(items, memory.Item{Content: k, Type: memory.TypeRelationship})
		}
		for i, has := range retrieve.NewQuestion(c.asked).HasAsked(items) {
			if has != c.has[i] {
				t.Errorf("%q: %q is %v", c.asked, c.known[i], has)
			}
		}
	}
}
