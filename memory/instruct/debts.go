package instruct

import (
	"slices"
	"strings"
	"sync"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/pattern"
)

// debts are the forms of data/debts.txt.
type debts struct{ debt, owed, reason pattern.Pattern }

var debtWords = sync.OnceValue(func() debts {
	book, _ := blocks("debts.txt")
	return debts{book.Pattern("{debt}"), book.Pattern("{owed}"), book.Pattern("{reasonBehind}")}
})

// MatchDebt is [Match] for an order to forget money that is owed to somebody or by somebody, "shonas money": the item need not
// call it that.
func MatchDebt(in Instruction, items []memory.Item) []memory.Item {
	w := debtWords()
	who := groupsOf(w.debt, bare(in.Object))["o"]
	if in.Kind != Forget || in.Guessed || in.Quoted || who == "" {
		return nil
	}
	names := []string{who}
	if name := strings.TrimSuffix(who, "s"); !han(who) && len(name) > 2 {
		names = append(names, name)
	}
	return slices.DeleteFunc(slices.Clone(items), func(it memory.Item) bool {
		named := slices.ContainsFunc(names, func(n string) bool { return Holds(it, n) })
		return it.State == memory.StateInactive || !named || !w.owed.Match(text.Fold(it.Content))
	})
}

// withoutReason is an object without the reason behind it.
func withoutReason(object string) string {
	if m := debtWords().reason.Find(text.Fold(object)); m != nil && m[0] > 0 {
		return object[:m[0]]
	}
	return object
}
