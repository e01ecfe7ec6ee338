package counter

import (
	"slices"
	"strings"
)

// Name is the stored name of a count.
type Name string

// The counts of existing data. They equal the number of entries in their buckets, and the
// store repairs them from these.
const (
	Items    Name = "items"
	Held     Name = "held" // items in the inbox
	Records  Name = "records"
	Sessions Name = "sessions"
	Vectors  Name = "vectors"
)

// The highest numbers that were given out. They never fall, so that no number is reused.
const (
	Profiles      Name = "profiles" // versions of the profile
	VectorNumbers Name = "vector numbers"
)

// Marks. They are 1 or absent.
const (
	ProfileBegun Name = "profile begun" // the items were looked through for a first profile
	Importing    Name = "importing"     // an import into an empty agent is not finished
	Group        Name = "groups"        // the id is a group's
)

// Totals of analyses by a model.
const (
	Analyses  Name = "analyses"
	Unusable  Name = "analyses_unusable" // answers without a usable proposal
	Failing   Name = "analyses_failing"  // unusable answers since the last usable one
	Learned   Name = "analyses_learned"  // changes to the memory
	Refused   Name = "analyses_refused"  // proposals that were refused
	TokensIn  Name = "analyses_tokens_in"
	TokensOut Name = "analyses_tokens_out"
)

// Existing returns the counts of existing data.
func Existing() []Name { return []Name{Items, Held, Records, Sessions, Vectors} }

// Local reports whether a count belongs to this store alone: it follows from what is
// stored, or is about something that an export does not contain.
func (n Name) Local() bool {
	switch n {
	case VectorNumbers, Importing, Failing:
		return true
	}
	return slices.Contains(Existing(), n) || strings.HasPrefix(string(n), exported)
}

const exported = "exported "

// Exported returns the mark of an export that this store wrote, by its checksum.
func Exported(sum string) Name { return Name(exported + sum) }
