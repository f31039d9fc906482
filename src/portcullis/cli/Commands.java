package portcullis.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.Causes;
import portcullis.reference.Reference;
import portcullis.reference.TerminalText;
import portcullis.reference.Topic;
import portcullis.serve.runtime.Version;

/** Registry of all commands, which parses a command line and runs its command. */
final class Commands {
  private final Console console;
  private final Completion completion;
  private static final String HELP = "help ";

  private final List<Command> all;

  Commands(Console console) {
    this.console = console;
    this.completion = new Completion(console);
    Evaluate evaluate = new Evaluate(console);
    Serve serve = new Serve(console);
    Validate validate = new Validate(console);
    all = Stream.concat(commands(evaluate, serve, validate).stream(), topics()).toList();
  }

  /** Returns a command for each topic of help. */
  private Stream<Command> topics() {
    Topic commands = new Topic("commands", "Lists all commands with their options.", () -> CommandPage.of(all()));
    Stream<Command> generated = Stream.concat(Reference.topics().stream(), Stream.of(commands))
        .map(topic -> new Command(HELP + topic.name(), "", topic.doc(), List.of(), _ -> {
          console.say(TerminalText.of(topic.page().get().text()).stripTrailing());
          return 0;
        }));
    return Stream.concat(generated,
        Stream.of(installed("logs", "Lists log events and their fields."), installed("metrics", "Lists the metrics.")));
  }

  private Command installed(String topic, String doc) {
    return new Command(HELP + topic, "", doc, List.of(),
        new InstalledPage(console, FilesCommand.share(), topic)::run);
  }

  private List<Command> commands(Evaluate evaluate, Serve serve, Validate validate) {
    KeyCommands keys = new KeyCommands(console);
    BundleCommand bundle = new BundleCommand(console);
    LockCommands locks = new LockCommands(console);
    return List.of(
        new Command("serve proxy", "", "Forwards requests that its rules let pass to their upstreams.",
            Flags.with(), serve::proxy),
        new Command("serve decision", "", "Decides for a proxy in front whether requests may pass.",
            Flags.with(Flags.ENVOY), serve::decision),
        new Command("demo", "",
            "Starts a demonstration on this machine: an application, its login, and rules to change.",
            DemoCommand.OPTIONS, new DemoCommand(console)::run),
        new Command("init", Init.OPERANDS, Init.DOC, Init.OPTIONS, new Init(console)::run),
        new Command("validate config", "", "Checks a configuration without starting anything.",
            Flags.with(Validate.PROXY_MODE, Flags.OUTPUT), validate::config),
        new Command("validate rules", "<file or folder>", "Checks rule sets against a configuration.",
            Flags.with(Validate.PROXY_MODE, Flags.OUTPUT), validate::rules),
        new Command("eval template", "TEXT", "Renders a template, to try it out.",
            Evaluate.OPTIONS, evaluate::template),
        new Command("eval expression", "TEXT", "Evaluates an expression in CEL, to try it out.",
            Evaluate.OPTIONS, evaluate::expression),
        new Command("explain", Explain.OPERANDS, Explain.DOC, Explain.OPTIONS, new Explain(console)::run),
        new Command("test", TestRules.OPERANDS, TestRules.DOC, TestRules.OPTIONS, new TestRules(console)::run),
        new Command("analyze", AnalyzeRules.OPERANDS, AnalyzeRules.DOC, AnalyzeRules.OPTIONS,
            new AnalyzeRules(console)::run),
        new Command("key new", "", "Makes an API key, adds its hash to a file and shows it once.",
            KeyCommands.NEW_OPTIONS, keys::create),
        new Command("key list", "", "Lists the API keys of a file.", KeyCommands.LIST_OPTIONS, keys::list),
        new Command("key revoke", KeyCommands.REVOKE_OPERANDS, "Revokes an API key of a file.",
            KeyCommands.REVOKE_OPTIONS, keys::revoke),
        new Command("password hash", "", PasswordCommand.DOC, PasswordCommand.OPTIONS,
            new PasswordCommand(console, System.in, Terminal::isTyped)::hash),
        new Command("replay", ReplayLog.OPERANDS, ReplayLog.DOC, ReplayLog.OPTIONS, new ReplayLog(console)::run),
        new Command("promote", "", Promote.DOC, Promote.OPTIONS, new Promote(console)::run),
        new Command("convert ruleset", Convert.OPERANDS, Convert.DOC, Convert.OPTIONS,
            new Convert(console)::ruleSet),
        new Command("migrate check", MigrateCheck.OPERANDS, MigrateCheck.DOC, MigrateCheck.OPTIONS,
            new MigrateCheck(console)::run),
        new Command("audit verify", AuditCommand.OPERANDS, AuditCommand.DOC, AuditCommand.OPTIONS,
            new AuditCommand(console)::verify),
        new Command("bundle sign", BundleCommand.SIGN_OPERANDS, BundleCommand.SIGN_DOC, BundleCommand.SIGN,
            bundle::sign),
        new Command("bundle verify", "<bundle>", BundleCommand.VERIFY_DOC, BundleCommand.VERIFY, bundle::verify),
        new Command("bundle show", "<bundle>", BundleCommand.SHOW_DOC, BundleCommand.SHOW, bundle::show),
        new Command("schema", "[config|rules|intents]",
            "Writes the JSON Schema of configurations, rule sets or intents, for editors.",
            List.of(), new SchemaCommand(console)::run),
        new Command("files", FilesCommand.OPERANDS,
            "Lists the files that come with the program, or copies them to a folder: documentation, samples, unit.",
            List.of(),
            new FilesCommand(console)::run),
        new Command("health", "", "Checks the health of a running service.",
            Health.OPTIONS, new Health(console)::run),
        new Command("lock", "", "Locks a subject, a session, a token or clients of a running service.",
            LockCommands.LOCK_OPTIONS, locks::lock),
        new Command("unlock", LockCommands.UNLOCK_OPERANDS, "Removes a lock.", LockCommands.UNLOCK_OPTIONS,
            locks::unlock),
        new Command("locks", "", "Lists the locks of a running service.", LockCommands.LIST_OPTIONS, locks::list),
        new Command("debug-token", "", DebugTokenCommand.DOC, DebugTokenCommand.OPTIONS,
            new DebugTokenCommand(console)::run),
        new Command("tail", "", TailCommand.DOC, TailCommand.OPTIONS, arguments -> new TailCommand(console)
            .run(arguments)),
        new Command("top", "", TopCommand.DOC, TopCommand.OPTIONS, new TopCommand(console)::run),
        new Command("help mechanism", Command.MECHANISM,
            "Describes the types of mechanisms: settings, errors, an example.",
            List.of(), new MechanismHelp(console)::run),
        new Command("completion", "bash|zsh|fish", "Writes what completes command lines in a shell.",
            List.of(), completion::script),
        new Command("version", "", "Shows the version.", List.of(Flags.OUTPUT), this::version));
  }

  List<Command> all() {
    return all;
  }

  int run(List<String> words) {
    if (words.isEmpty() || words.stream().skip(words.getFirst().equals("help") ? 1 : 0).allMatch(Commands::isHelp)) {
      console.say(overview());
      return 0;
    }
    if (words.getFirst().equals(Completion.ASKED)) {
      return completion.words(all, words.subList(1, words.size()));
    }
    if (words.equals(List.of("--version")) || words.equals(List.of("-v"))) {
      console.say("portcullis version " + Version.current());
      return 0;
    }
    boolean help = words.getFirst().equals("help") && find(words).isEmpty();
    List<String> rest = nameFirst(help ? words.subList(1, words.size()) : words);
    Optional<Command> command = find(rest);
    if (command.isEmpty()) {
      return group(help && isHelpCommand(rest.getFirst()) ? words : rest, help);
    }
    List<String> arguments = rest.subList(command.get().name().split(" ").length, rest.size());
    if (help || arguments.stream().anyMatch(Commands::isHelp)) {
      console.say(command.get().help());
      return 0;
    }
    return run(command.get(), arguments);
  }

  private static boolean isHelp(String word) {
    return word.equals("--help") || word.equals("-h");
  }

  private int version(Arguments arguments) {
    console.say(Flags.json(arguments) ? JsonText.plain(Value.dict("version", Value.of(Version.current())))
        : "portcullis version " + Version.current());
    return 0;
  }

  private int run(Command command, List<String> words) {
    try {
      Arguments arguments = Arguments.parse(words, command.options());
      if (command.operands().isEmpty() && !arguments.rest().isEmpty()) {
        throw new Arguments.UsageException("`" + arguments.rest().getFirst() + "` is not expected here");
      }
      return command.action().run(arguments);
    } catch (Arguments.UsageException e) {
      console.complain(e.getMessage());
      String help = command.name().startsWith("help ") ? command.name() : "help " + command.name();
      console.complain("`portcullis " + help + "` shows more");
      Problems problems = new Problems();
      problems.error(Origin.BUILT_IN, "", e.getMessage(), "`portcullis " + help + "` shows more");
      console.say(wantsJson(command, words), problems);
      return 2;
    } catch (RuntimeException | Error e) {
      console.complain("internal error: " + Causes.text(e));
      return 1;
    }
  }

  /** Returns whether the result is for programs, where the words may be wrong. */
  private static boolean wantsJson(Command command, List<String> words) {
    String given = " " + String.join(" ", words) + " ";
    return command.options().stream().filter(option -> option.choices().contains("json"))
        .flatMap(option -> Stream.of(option.name(), option.letter()))
        .anyMatch(name -> given.contains(" " + name + " json ") || given.contains(" " + name + "=json "));
  }

  /** Returns whether a word behind {@code help} is meant to be the second one of a command itself. */
  private boolean isHelpCommand(String word) {
    return Nearest.of("help " + word, all.stream().map(Command::name).toList()).filter(name -> name.startsWith("help "))
        .isPresent();
  }

  /** Moves the command's second word behind the first, as options may come between the two. */
  private List<String> nameFirst(List<String> words) {
    for (int i = 2; i < words.size(); i++) {
      String name = words.getFirst() + " " + words.get(i);
      boolean isValue = words.get(i - 1).equals("-c") || words.get(i - 1).equals(Flags.CONFIG)
          || words.get(i - 1).equals(Flags.PREFIX);
      if (words.get(1).startsWith("-") && !isValue && all.stream().anyMatch(c -> c.name().equals(name))) {
        List<String> out = new ArrayList<>(words);
        out.add(1, out.remove(i));
        return out;
      }
    }
    return words;
  }

  private Optional<Command> find(List<String> words) {
    return all.stream().filter(c -> {
      List<String> name = List.of(c.name().split(" "));
      return words.size() >= name.size() && words.subList(0, name.size()).equals(name);
    }).findFirst();
  }

  /**
   * Handles the first word of several commands, of which help lists them; anything else is wrong usage.
   *
   * @param help whether help was asked for before
   */
  private int group(List<String> words, boolean help) {
    List<Command> of = words.isEmpty() ? List.of()
        : all.stream().filter(c -> c.name().startsWith(words.getFirst() + " ")).toList();
    boolean asks = words.size() == 1 && help || words.size() == 2 && isHelp(words.get(1));
    if (!of.isEmpty() && asks) {
      console.say(listed(of) + "\n\n" + of.getFirst().optionsHelp());
      return 0;
    }
    console.complain(
        wrong(words.isEmpty() ? "" : words.getFirst(), words.stream().takeWhile(w -> !w.startsWith("-")).toList(), of));
    console.complain(of.isEmpty() ? "`portcullis help` lists all commands"
        : "`portcullis help " + words.getFirst() + "` describes them");
    return 2;
  }

  /** Returns what to say of words that begin no command: by two of them it is known best what was meant. */
  private String wrong(String first, List<String> words, List<Command> group) {
    String given = String.join(" ", words.subList(0, Math.min(2, words.size())));
    if (!group.isEmpty()) {
      List<String> names = group.stream().map(Command::name).toList();
      return words.size() < 2 ? "`" + given + "` is half a command, " + Nearest.hint("", names)
          : "unknown command `" + given + "`, " + Nearest.hint(given, names);
    }
    if (words.isEmpty()) {
      return "unknown command `" + first + "`, " + Nearest.hint(first, List.of("--help", "--version"));
    }
    Set<String> names = new TreeSet<>(Set.of("help"));
    all.forEach(command -> names.addAll(List.of(command.name(), command.name().split(" ")[0])));
    String meant = Nearest.of(given, names).isPresent() ? given : first;
    return "unknown command `" + meant + "`, "
        + Nearest.of(meant, names).or(() -> begun(meant, names)).map(n -> "did you mean `" + n + "`?")
            .orElseGet(() -> Nearest.hint(meant, all.stream().map(Command::name).toList()));
  }

  /** Returns the only one that begins with that. */
  private static Optional<String> begun(String word, Set<String> names) {
    List<String> longer = names.stream().filter(name -> name.startsWith(word) && !name.contains(" ")).toList();
    return longer.size() == 1 ? Optional.of(longer.getFirst()) : Optional.empty();
  }

  private String overview() {
    return "Portcullis stands in front of services and decides, per request, whether it may pass.\n\n" + listed(all)
        + "\n\n  portcullis --version   shows the version\n  portcullis help COMMAND   describes one";
  }

  private static String listed(List<Command> commands) {
    return commands.stream().map(c -> String.format("  portcullis %-19s %s", c.name(), c.doc()))
        .collect(Collectors.joining("\n", "Commands:\n", ""));
  }
}
