package cli

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"memoria/chat"
	"memoria/ui/app"
)

// modelList is what models --json prints.
type modelList struct {
	Endpoint   string   `json:"endpoint"`   // the configured one
	Configured string   `json:"configured"` // the model that is asked for
	Available  bool     `json:"available"`  // whether it is in Models
	Models     []string `json:"models"`
	// Local are servers on this computer, looked for when no model is connected.
	Local []localServer `json:"local"`
}

type localServer struct {
	Name    string   `json:"name"`
	BaseURL string   `json:"base_url"`
	Models  []string `json:"models"`
}

func modelsCommand(p *Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "models", Short: "List the models that the endpoint offers", Args: cobra.NoArgs,
		Long: `List the models that the configured endpoint offers; the configured one is marked.
Where no key is set, servers on this computer are looked for instead. The
memory is not opened.`,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := p.Setup()
			if err != nil {
				return err
			}
			return printModels(c.Context(), p, s, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func printModels(ctx context.Context, p *Program, s app.Setup, asJSON bool) error {
	list := modelList{Configured: s.Config.Model.Name, Models: []string{}, Local: []localServer{}}
	names, offline, err := p.Offered(ctx, s)
	if err != nil {
		return err
	}
	list.Endpoint, list.Available = s.Config.Model.BaseURL, slices.Contains(names, s.Config.Model.Name)
	list.Models = append(list.Models, names...)
	if offline != "" {
		for _, f := range p.Discover(ctx) {
			list.Local = append(list.Local, localServer{f.Name, f.BaseURL, append([]string{}, f.Models...)})
		}
	}
	if asJSON {
		return p.printJSON(list)
	}
	if offline != "" {
		return sayLocal(p, list.Local, offline)
	}
	for _, name := range list.Models {
		mark := " "
		if name == list.Configured {
			mark = "*"
		}
		p.print(mark + " " + oneLine(name) + "\n")
	}
	switch {
	case len(names) == 0:
		p.say("%s offers no model.", list.Endpoint)
	case !list.Available:
		p.say("%s; the configured one, %s, is not among them", many(len(names), "model", "models"), list.Configured)
	default:
		p.say("%s; * is the configured one", many(len(names), "model", "models"))
	}
	return nil
}

func sayLocal(p *Program, found []localServer, why string) error {
	for _, f := range found {
		p.print(fmt.Sprintf("%s at %s\n", f.Name, f.BaseURL))
		for _, name := range f.Models {
			p.print("  " + oneLine(name) + "\n")
		}
	}
	p.say("memoria: %s", why)
	if len(found) == 0 {
		p.say("  No model server was found on this computer either. Set a key, or base_url in %s.", p.Paths().Config)
		return nil
	}
	use := "MEMORIA_MODEL_BASE_URL=" + found[0].BaseURL
	if m := found[0].Models; len(m) > 0 && plainName.MatchString(m[0]) {
		use += " MEMORIA_MODEL_NAME=" + m[0]
	}
	p.say("  To use a server of this computer: %s memoria", use)
	return nil
}

// endpointFault is a failure of the endpoint in words, and what to do.
func endpointFault(err error) (what, fix string) {
	problem := chat.Explain(err)
	what = problem.Title
	if problem.Text != "" {
		what += ": " + problem.Text
	}
	return what, problem.Hint
}

// plainName matches a model's name that needs no quotes in a shell.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$`)
