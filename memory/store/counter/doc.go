// Package counter names the counts that the store keeps for each agent, so that a total
// needs no scan.
package counter
