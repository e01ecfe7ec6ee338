package config

import (
	"errors"

	"memoria/chat/model"
	"memoria/memory/bounds"
	"memoria/memory/recall"
)

// Embedding is the [embedding] table: who makes vectors, and how they take
// part in retrieval.
type Embedding struct {
	model.EmbedConfig
	recall.VectorConfig
}

// defaultEmbedding returns the settings of a fresh installation: no embeddings.
func defaultEmbedding() Embedding {
	return Embedding{EmbedConfig: model.DefaultEmbedConfig(), VectorConfig: recall.DefaultVectors()}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c Embedding) Validate() error {
	var more bounds.Faults
	errors.As(c.VectorConfig.Validate(), &more)
	return bounds.Join(c.EmbedConfig.Validate(), more...)
}
