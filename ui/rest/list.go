package rest

import (
	"net/http"
	"time"
)

// Listed is a page of a list.
type Listed[T any] struct {
	Items  []T `json:"items" nullable:"false" doc:"The entries of this page"`
	Total  int `json:"total" doc:"The number of entries of all pages"`
	Limit  int `json:"limit" doc:"The maximum number of entries of a page"`
	Offset int `json:"offset" doc:"The number of entries before this page"`
}

// Page selects a page of a list.
type Page struct {
	Limit  int `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"The maximum number of entries"`
	Offset int `query:"offset" minimum:"0" maximum:"100000000" doc:"The number of entries to skip"`
}

// list returns the page of a list that was read for it.
func list[T any](p Page, items []T, total int) *Body[Listed[T]] {
	if items == nil {
		items = []T{}
	}
	return &Body[Listed[T]]{Listed[T]{Items: items, Total: total, Limit: p.Limit, Offset: p.Offset}}
}

// pageOf returns a page of a list that was read as a whole.
func pageOf[T any](p Page, all []T) *Body[Listed[T]] {
	from := min(p.Offset, len(all))
	return list(p, all[from:min(from+p.Limit, len(all))], len(all))
}

// Body is an answer with a body.
type Body[T any] struct{ Body T }

func body[T any](v T, err error) (*Body[T], error) {
	if err != nil {
		return nil, err
	}
	return &Body[T]{v}, nil
}

// mapped returns what a function makes of each element; never nil.
func mapped[T, U any](in []T, to func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, v := range in {
		out = append(out, to(v))
	}
	return out
}

// moment returns a time for JSON: null if it is not set.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Span bounds a time.
type Span struct {
	Since string `query:"since" doc:"The earliest time: 2026-01-31 or 2026-01-31T12:00:00Z" example:"2026-01-31"`
	Until string `query:"until" doc:"The time before which, in the same forms; a day is included"`
}

// times reads the bounds. A day is one of the server's time zone.
func (s Span) times(loc *time.Location) (from, to time.Time, err error) {
	if from, err = bound("since", s.Since, loc, 0); err == nil {
		to, err = bound("until", s.Until, loc, 1)
	}
	return from, to, err
}

func bound(name, text string, loc *time.Location, days int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, loc); err == nil {
		return day.AddDate(0, 0, days), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		p := problem(http.StatusUnprocessableEntity, "validation failed")
		p.Errors = []Fault{{Location: "query." + name, Message: "expected a day like 2026-01-31 or a time like 2026-01-31T12:00:00Z"}}
		return at, p
	}
	return at, nil
}
