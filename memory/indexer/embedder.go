package indexer

import (
	"context"
	"errors"

	"memoria/index/vector"
)

// Embedder computes vectors of texts (R9). It is another program on this or another
// computer: slow, sometimes unavailable, and to receive no more text than necessary.
type Embedder interface {
	// Embed returns a vector for each text, in order, all of one dimension and of
	// length 1. The error wraps [ErrUnavailable] if other texts would fail too; any
	// other error is about these texts, except for the end of ctx.
	Embed(ctx context.Context, purpose Purpose, texts []string) ([][]float32, error)
	// About describes the embedder. It makes no request and never changes.
	About() About
}

// Purpose is the role of a text: models may treat queries and items differently.
type Purpose string

// The purposes of a text.
const (
	ForItem  Purpose = "item"
	ForQuery Purpose = "query"
)

// About describes an [Embedder]. It holds no secret.
type About struct {
	Name string // display name of the model
	// Key identifies the model and the form of the request. Vectors with different keys
	// are not comparable.
	Key string
	// Endpoint is the destination of the texts, as displayed.
	Endpoint string
	// Local says that the endpoint is on this computer.
	Local bool
	// Batch is the number of texts per request.
	Batch int
}

// Normalise scales a vector to length 1, in place, for implementations of [Embedder].
// It fails if v has a non-finite number or is zero.
func Normalise(v []float32) error { return vector.Normalise(v) }

// ErrUnavailable says that the embedder is currently unavailable.
var ErrUnavailable = errors.New("the embedding model cannot be asked")
