package chat_test

import (
	"strings"
	"testing"
)

// P5c, P9a: people whom a message without apostrophes brings in, goes on about or replaces.
func TestPeopleWithoutApostrophes(t *testing.T) {
	noRace(t)
	t.Parallel()
	for _, c := range []struct {
		said      []string
		has, lack []string
	}{
		{[]string{"my wifes called orla, shes 58"}, []string{"Wife is called Orla.", "58"}, nil},
		{[]string{"my brother is called cathal and hes 44"}, []string{"Brother is called Cathal.", "44"}, []string{"and hes"}},
		{[]string{"my wife fionnuala is a nurse, shes from omagh"}, []string{"omagh"}, nil},
		{
			[]string{"my dad malachy has type 2 diabetes, hes on gliclazide 80mg a day", "malachys eye test is on 9th december at 10.20 in the royal"},
			[]string{"Dad is called Malachy.", "eye test is on 9th december at 10.20 in the royal"}, nil,
		},
		{[]string{"my boss is called noreen", "noreen retired, its philip now"}, []string{"Boss is called Philip."}, []string{"Noreen"}},
		{[]string{"my dentist is called moira", "moira has left, its mr kane now"}, []string{"Dentist is called Mr Kane."}, []string{"Moira"}},
		{
			[]string{"my daughter is called clodagh", "clodaghs getting married in may, the 8th, in sligo, his names declan"},
			[]string{"getting married to Declan in may, the 8th, in sligo."}, nil,
		},
		{[]string{"my daughter is called clodagh", "clodagh isnt getting married in may"}, nil, []string{"is getting married"}},
		{[]string{"i do 4 days a week now, mon tues wed and fri"}, []string{"mon tues wed and fri."}, nil},
		{[]string{"im in sligo on friday and saturday"}, []string{"friday ("}, nil},
		{[]string{"my boss is called noreen", "noreen retired, its quiet now"}, nil, []string{"Quiet"}},
		{[]string{"my son is called conor", "conor left, its gerry now"}, []string{"Son is called Conor."}, []string{"Gerry"}},
	} {
		h := offline(t, nil)
		for _, s := range c.said {
			h.tell(s)
			h.settle()
		}
		all := strings.Join(h.remembered(), "\n")
		for _, want := range c.has {
			wantHas(t, all, want)
		}
		for _, not := range c.lack {
			wantNot(t, all, not)
		}
	}
}
