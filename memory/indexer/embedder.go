package indexer

import (
	"context"
	"errors"

	"memoria/index/vector"
)

// Embedder makes vectors of texts (R9). It is another program on this or another
// computer: slow, sometimes away, and never to be trusted with more than it must see.
type Embedder interface {
	// Embed returns a vector for each text, in their order, all of one dimension and
	// of length 1. The error wraps [ErrUnavailable] when other texts would fail as
	// well; any other error is about these texts, except for the end of ctx.
	Embed(ctx context.Context, purpose Purpose, texts []string) ([][]float32, error)
	// About says what it is. It asks nobody and never changes.
	About() About
}

// Purpose says what a text is: models may treat what is looked for and what is
// found differently.
type Purpose string

// The purposes of a text.
const (
	ForItem  Purpose = "item"
	ForQuery Purpose = "query"
)

// About describes an [Embedder]. It holds no secret.
type About struct {
	Name string // of the model, for people
	// Key names the model and how it is asked. Vectors with different keys cannot
	// be compared.
	Key string
	// Endpoint is where texts are sent, as screens show it.
	Endpoint string
	// Local says that this is on this computer.
	Local bool
	// Batch is how many texts go with one request.
	Batch int
}

// Normalise brings a vector to length 1, in place, for who makes an [Embedder]. It
// fails when v is not made of finite numbers, or is zero.
func Normalise(v []float32) error { return vector.Normalise(v) }

// ErrUnavailable says that the embedder cannot be asked at present.
var ErrUnavailable = errors.New("the embedding model cannot be asked")
