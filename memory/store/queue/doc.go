// Package queue describes the jobs of the store: work that one process may leave for the
// next, such as learning from a turn. The store keeps them by agent and id, and the writer
// of memory/manager/learning does them. Their layout is part of the stored format.
package queue
