package cli

import (
	"context"
	_ "embed"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memoria/memory"
	"memoria/memory/transfer/foreign"
	"memoria/ui/actions"
	"memoria/ui/words"
)

// commandTexts declares the commands: names, arguments, flags and help. An entry is
//
//	= NAME ARGUMENTS
//	what it does, in one line
//	@args LEAST MOST WHAT     how many arguments, * is any number; none without it
//	@instead FLAG             arguments are refused, and the flag is named instead
//	@completes NOUN           what a shell offers for them
//	@hint TEXT                how to find what an argument did not name
//	@else NAME                what a group does without a command
//	@some FLAG…               at least one of these is needed
//	@apart FLAG…              only one of these
//	@alias OTHER FLAG         another name of a flag
//	@words FLAG               the arguments are words for this flag
//	@everywhere               the flags below are for all commands
//	-S --FLAG KIND=DEFAULT what it does
//
// and, after an empty line, its help, and after another one its examples, indented.
//
//go:embed commands.txt
var commandTexts string

// commandChinese are the helps and examples of the commands in Chinese, by their names.
//
//go:embed commands.zh.txt
var commandChinese string

// chineseHelp returns the Chinese help and examples of a command.
func chineseHelp(name string) (help, examples string) {
	_, entry, ok := strings.Cut("\n"+commandChinese, "\n= "+name+"\n")
	if !ok {
		return "", ""
	}
	entry, _, _ = strings.Cut(entry, "\n= ")
	var paragraphs []string
	for _, p := range strings.Split(strings.TrimRight(entry, "\n"), "\n\n") {
		if strings.HasPrefix(p, "  ") {
			examples = p
			continue
		}
		paragraphs = append(paragraphs, p)
	}
	return strings.Join(paragraphs, "\n\n"), examples
}

// command does what a command of commands.txt declares.
type command struct {
	// check refuses flags and arguments before anything is opened.
	check func(context.Context, *input) error
	do    func(context.Context, *input) (actions.Result, error)
	// bare says that it does not open the memory, and opens that it opens it by itself.
	bare, opens bool
	// alone says that it needs the memory for itself: no other process may have it open.
	alone bool
	// lasts says that it runs until its user ends it, and may be begun again elsewhere.
	lasts bool
}

// commands are what the commands do, by their names. A command that is not here runs the
// action that names it.
var commands = map[string]command{
	"adopt":               {do: adopt, bare: true, alone: true},
	"agent add":           {do: agentAdd, check: readPersona},
	"agent delete":        {do: agentDelete},
	"agent edit":          {do: agentEdit, check: checkAgentEdit},
	"agent list":          {do: agentList},
	"archive bookmark":    {do: archiveBookmark},
	"archive delete":      {do: archiveDelete},
	"archive search":      {do: archiveSearch},
	"ask":                 {do: ask, check: checkAsk, bare: true, opens: true},
	"backup":              {do: backupFile, bare: true, opens: true},
	"backup list":         {do: backupList, bare: true},
	"completion":          {do: completion, bare: true},
	"config check":        {do: configCheck, bare: true},
	"config path":         {do: configPath, bare: true},
	"config set":          {do: configSet, bare: true},
	"config show":         {do: configShow, bare: true},
	"config unset":        {do: configUnset, bare: true},
	"context":             {do: showContext},
	"doctor":              {do: doctor, check: checkDoctor, bare: true, alone: true},
	"forget":              {do: forget, check: checkForget, bare: true, opens: true},
	"group add":           {do: groupAdd},
	"group delete":        {do: groupDelete},
	"group edit":          {do: groupEdit},
	"export":              {do: exportAgent},
	"import":              {do: importAgent, check: readTarget},
	"import chatgpt":      {do: importing(foreign.ChatGPT), check: checkImport},
	"import claude":       {do: importing(foreign.Claude), check: checkImport},
	"import jsonl":        {do: importing(foreign.Lines), check: checkImport},
	"import read":         {do: importRead, check: mayLearn},
	"inbox accept":        {do: inboxAccept, check: checkInbox},
	"inbox edit":          {do: inboxEdit},
	"inbox list":          {do: inboxList},
	"inbox reject":        {do: inboxReject, check: checkInbox},
	"index rebuild":       {do: indexRebuild},
	"journal path":        {do: journalPath},
	"journal run":         {do: journalRun},
	"journal show":        {do: journalShow},
	"learn":               {do: learnTurns, check: mayLearn},
	"man":                 {do: man, bare: true},
	"mcp":                 {do: serveMCP, lasts: true},
	"memory add":          {do: memoryAdd},
	"memory clear":        {do: memoryClear},
	"memory delete":       {do: memoryDelete, check: checkDelete},
	"memory edit":         {do: memoryEdit},
	"memory history":      {do: memoryHistory},
	"memory list":         {do: memoryList},
	"memory undo":         {do: memoryUndo, check: checkUndo},
	"models":              {do: models, bare: true},
	"profile clear":       {do: profileClear},
	"profile diff":        {do: profileDiff, check: readVersions},
	"profile edit":        {do: profileEdit, check: checkProfileEdit},
	"profile history":     {do: profileHistory},
	"profile set":         {do: profileSet, check: readProfile},
	"profile show":        {do: profileShow},
	"profile undo":        {do: profileUndo, check: readVersions},
	"recall":              {do: showRecall},
	"restore":             {do: restore, bare: true, alone: true},
	"serve":               {do: serve, check: checkServe, lasts: true},
	"session consolidate": {do: onSession(sessionConsolidate), check: mayLearn},
	"session delete":      {do: sessionDelete},
	"session export":      {do: onSession(sessionExport), check: checkExport},
	"session fork":        {do: onSession(sessionFork)},
	"session keep":        {do: onSession(sessionKeep)},
	"session list":        {do: sessionList, check: checkFind},
	"session rename":      {do: onSession(sessionRename)},
	"session show":        {do: onSession(sessionShow)},
	"version":             {do: version, bare: true},
	"working":             {do: showWorking},
}

// aliases are other names of commands, by their last word.
var aliases = map[string]string{"list": "ls", "delete": "rm"}

// usage matches the first line of an entry: the groups above a command, its name, its arguments.
var usage = regexp.MustCompile(`^((?:[a-z]+ )*)([a-z]+)(.*)$`)

// addCommands adds the commands of commands.txt to root.
func (p *Program) addCommands(root *cobra.Command) {
	for _, entry := range strings.Split("\n"+commandTexts, "\n= ")[1:] {
		head, long, _ := strings.Cut(strings.TrimSpace(entry), "\n\n")
		lines := strings.Split(head, "\n")
		name := usage.FindStringSubmatch(lines[0])
		c := root
		if name[1]+name[2] != "memoria" {
			c = &cobra.Command{Args: cobra.NoArgs, Annotations: map[string]string{}}
			parent, _, _ := root.Find(strings.Fields(name[1]))
			parent.AddCommand(c)
			if does, ok := p.function(name[1] + name[2]); ok {
				p.runs(c, does)
			} else {
				isGroup(c)
			}
		}
		c.Use, c.Short = name[2]+name[3], p.lang().Translate(lines[1])
		if other := aliases[name[2]]; other != "" {
			c.Aliases = []string{other}
		}
		if !strings.HasPrefix(long, "  ") {
			c.Long, long, _ = strings.Cut(long, "\n\n  ")
			long = strings.TrimRight("  "+long, " ")
		}
		c.Example = long
		if p.lang().Language == words.Chinese {
			c.Long, c.Example = chineseHelp(name[1] + name[2])
		}
		flags := c.Flags()
		for _, l := range lines[2:] {
			switch d, ok := strings.CutPrefix(l, "@"); {
			case d == "everywhere":
				flags = c.PersistentFlags()
			case ok:
				key, value, _ := strings.Cut(d, " ")
				p.direct(c, key, value)
			default:
				p.addFlag(c, flags, l)
			}
		}
	}
}

// function finds what a command does: its function, or the action that names it.
func (p *Program) function(name string) (command, bool) {
	if does, ok := commands[name]; ok {
		return does, true
	}
	run := actions.Does(name)
	return command{do: func(ctx context.Context, in *input) (actions.Result, error) {
		return run(ctx, in.Console, in.words())
	}}, run != nil
}

// direct carries out a line of an entry that begins with @.
func (p *Program) direct(c *cobra.Command, key, value string) {
	names := strings.Fields(value)
	switch key {
	case "args":
		c.Args = arity(value)
	case "instead":
		c.Args = func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return wrongUsage("usage.instead", c.CommandPath(), args[0], value)
			}
			return nil
		}
	case "completes":
		c.ValidArgsFunction = func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return p.complete(c, value, args, begun)
		}
	case "hint":
		c.Annotations[ifNotFound] = value
	case "else":
		c.Annotations[otherwise] = value
	case "words":
		c.Annotations[wordsOf] = value
	case "some":
		c.PreRunE = func(c *cobra.Command, _ []string) error {
			if !slices.ContainsFunc(names, c.Flags().Changed) {
				return wrongUsage("usage.some", c.Name(), strings.Join(names, ", --"))
			}
			return nil
		}
	case "apart":
		c.MarkFlagsMutuallyExclusive(names...)
	case "alias":
		c.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, given string) pflag.NormalizedName {
			if given == names[0] {
				given = names[1]
			}
			return pflag.NormalizedName(given)
		})
	}
}

// arity reads how many arguments a command takes, and what they are: "1 1 the ID of a memory".
func arity(text string) cobra.PositionalArgs {
	fields := append(strings.SplitN(text, " ", 3), "")
	least, _ := strconv.Atoi(fields[0])
	most, err := strconv.Atoi(fields[1])
	if err != nil {
		most = math.MaxInt
	}
	what := fields[2]
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return wrongUsage("usage.needs", c.CommandPath(), words.Sentence(what))
		case len(args) > most && what != "":
			return wrongUsage("usage.takes", c.CommandPath(), words.Sentence(what), args[most])
		}
		return cobra.MaximumNArgs(most)(c, args)
	}
}

// flagLine matches the line of a flag: its letter, its name, its kind, its default, its help.
var flagLine = regexp.MustCompile(`^(?:-(\w) )?--([a-z-]+) ([a-z]+)(?:=(\S+))? (.*)$`)

// flagKind is the annotation of a flag with its kind.
const flagKind = "kind"

// bound returns where the program keeps the flags of a run.
func (p *Program) bound() (texts map[string]*string, switches map[string]*bool) {
	return map[string]*string{"config": &p.ConfigFile, "data-dir": &p.DataDir, "agent": &p.Agent, "model": &p.Model},
		map[string]*bool{"debug": &p.Debug, "demo": &p.Demo, "no-memory": &p.NoMemory, "screen-reader": &p.screenReader,
			"typed": &p.typed, "temp": &p.Temporary}
}

// addFlag adds the flag that a line declares. Other kinds than a switch, a list, a number
// and a count are a text that a shell completes. A flag of the run is also kept in the program.
func (p *Program) addFlag(c *cobra.Command, to *pflag.FlagSet, text string) {
	texts, switches := p.bound()
	m := flagLine.FindStringSubmatch(text)
	letter, name, kind, help := m[1], m[2], m[3], p.lang().Translate(m[5])
	switch kind {
	case "switch":
		if at := switches[name]; at != nil {
			to.BoolVarP(at, name, letter, false, help)
		} else {
			to.BoolP(name, letter, false, help)
		}
	case "list":
		to.StringSliceP(name, letter, nil, help)
	case "number":
		preset, _ := strconv.ParseFloat(m[4], 64)
		to.Float64P(name, letter, preset, help)
	case "count", "positive":
		preset, _ := strconv.Atoi(m[4])
		to.IntP(name, letter, preset, help)
	default:
		if at := texts[name]; at != nil && to == c.PersistentFlags() {
			to.StringVarP(at, name, letter, m[4], help)
		} else {
			to.StringP(name, letter, m[4], help)
		}
		if kind != "text" && kind != "file" && kind != "time" && kind != "day" {
			completeFlag(c, name, func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
				return p.complete(c, kind, nil, begun)
			})
		}
	}
	_ = to.SetAnnotation(name, flagKind, []string{kind})
}

// choices are what a flag of these kinds may be, and how they are called together.
var choices = map[string]struct {
	many   string
	values func() []string
}{
	"type": {"types", func() []string { return strings.Split(words.MemoryTypes(), ", ") }},
	"process": {"processes", func() (all []string) {
		for _, o := range []memory.Origin{memory.OriginTurn, memory.OriginSessionEnd, memory.OriginJournal, memory.OriginUser,
			memory.OriginImport, memory.OriginAPI} {
			all = append(all, string(o))
		}
		return all
	}},
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// checkFlag refuses a value that a flag of its kind cannot have.
func checkFlag(f *pflag.Flag) error {
	kind, value := append(f.Annotations[flagKind], "")[0], f.Value.String()
	n, _ := strconv.Atoi(value)
	switch {
	case kind == "count" && n < 0:
		return wrongUsage("usage.count", f.Name, n)
	case kind == "positive" && n < 1:
		return wrongUsage("usage.positive", f.Name, n)
	case kind == "day" && !isDay(value):
		return wrongUsage("usage.day", f.Name, value)
	case kind == "session" && value == "":
		return wrongUsage("usage.session", f.Name)
	}
	if of, ok := choices[kind]; ok && value != "" && !slices.Contains(of.values(), value) {
		return wrongUsage("usage.choice", f.Name, value, of.many, strings.Join(of.values(), ", "))
	}
	return nil
}
