package manager

import (
	"os"
	"path/filepath"

	"memoria/memory/store"
)

// dropEmpty removes the indexes of an agent that has nothing: who only looks at
// an agent, or mistypes its name, leaves no folder behind. The next start makes
// them anew. Its followers must be closed.
func (m *Manager) dropEmpty(agent string) {
	left := 0
	err := m.store.View(func(tx *store.Tx) error {
		for _, name := range []string{"items", "held", "records", "sessions"} {
			n, err := tx.Count(agent, name)
			if err != nil {
				return err
			}
			left += n
		}
		return nil
	})
	if err == nil && left == 0 {
		err = os.RemoveAll(filepath.Join(m.dir, indexFolder, agent))
	}
	if err != nil {
		m.log.Warn("an empty index was not removed", "error", err)
	}
}
