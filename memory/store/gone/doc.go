// Package gone keeps the list of deletions in a file beside a store. It duplicates the
// store's own list, in case a page of that is lost (K2), so that neither a repair nor an
// older backup restores deleted data.
//
// The file has one line for each deletion and restoration: + or -, and a hash of the
// agent, the kind and the id. Lines are only appended, and the last one decides.
package gone
