package cli

import (
	"encoding/json"
	"memoria/ui/app"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memoria/memory"
)

// itemFlags are the fields of an item that the user may set.
type itemFlags struct {
	kind, key, title, value, content string
	tags                             []string
	confidence, importance           float64
}

// editable are the flags of which edit needs one.
var editable = []string{"content", "type", "key", "title", "value", "tags", "confidence", "importance"}

// register adds the flags with what they are when they are not given; zero for
// a number that then stays as it is.
func (f *itemFlags) register(c *cobra.Command, confidence, importance float64) {
	c.Flags().StringVar(&f.kind, "type", "", "the `TYPE`: "+typeNames())
	completeTypes(c)
	c.Flags().StringVar(&f.key, "key", "", "the slot it fills, such as name")
	c.Flags().StringVar(&f.title, "title", "", "a title")
	c.Flags().StringVar(&f.value, "value", "", "the conclusion as `JSON`")
	c.Flags().StringSliceVar(&f.tags, "tags", nil, "tags, separated by commas")
	c.Flags().Float64Var(&f.confidence, "confidence", confidence, "from 0 to 1")
	c.Flags().Float64Var(&f.importance, "importance", importance, "from 0 to 1")
}

// apply writes the flags that were given into an item.
func (f *itemFlags) apply(c *cobra.Command, it *memory.Item) {
	given := c.Flags().Changed
	if given("type") {
		it.Type = memory.Type(f.kind)
	}
	if given("key") {
		it.Key = f.key
	}
	if given("title") {
		it.Title = f.title
	}
	if given("value") {
		it.Value = json.RawMessage(f.value)
	}
	if given("tags") {
		it.Tags = f.tags
	}
	if given("confidence") {
		it.Confidence = f.confidence
	}
	if given("importance") {
		it.Importance = f.importance
	}
	if given("content") {
		it.Content = f.content
	}
}

func memoryAdd(p *Program) *cobra.Command {
	var f itemFlags
	var asJSON bool
	c := &cobra.Command{
		Use: "add [flags] TEXT", Short: "Remember something", Args: need("a TEXT", 0),
		Example: `  memoria memory add --type preference "Prefers pnpm to npm"`,
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c.Context(), func(o *app.App) error {
				it := memory.Item{Content: strings.Join(args, " ")}
				it, err := o.Memory.AddItem(c.Context(), o.Agent.ID, it, func(it *memory.Item) { f.apply(c, it) })
				if err != nil {
					return err
				}
				return changed(p, "remembered", it, asJSON)
			})
		},
	}
	f.register(c, 1, memory.DefaultImportance)
	c.Flags().BoolVar(&asJSON, "json", false, "print the new item as JSON")
	return c
}

func memoryEdit(p *Program) *cobra.Command {
	var f itemFlags
	var asJSON bool
	c := &cobra.Command{
		Use: "edit ID [flags]", Short: "Correct what is remembered", Args: need("the ID of a memory", 1), Annotations: hint(findMemory), ValidArgsFunction: p.completeMemory,
		Example: `  memoria memory edit 7K3M9Q --content "Prefers pnpm to yarn"`,
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.ContainsFunc(editable, c.Flags().Changed) {
				return wrongUsage("edit needs at least one of --%s", strings.Join(editable, ", --"))
			}
			return p.with(c.Context(), func(o *app.App) error {
				it, err := o.Memory.EditItem(c.Context(), o.Agent.ID, args[0], func(it *memory.Item) { f.apply(c, it) })
				if err != nil {
					return err
				}
				return changed(p, "changed", it, asJSON)
			})
		},
	}
	f.register(c, 0, 0)
	c.Flags().StringVar(&f.content, "content", "", "the new text")
	c.Flags().BoolVar(&asJSON, "json", false, "print the item as JSON")
	return c
}

func changed(p *Program, how string, it memory.Item, asJSON bool) error {
	if asJSON {
		return p.printJSON(it)
	}
	p.print(it.ID + "\n")
	p.say("%s: %s", how, oneLine(it.Content))
	return nil
}
