package portcullis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import portcullis.config.Node;
import portcullis.config.SubstitutedSource;
import portcullis.config.Yaml;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.migration.MigrationCheck;
import portcullis.migration.MigrationFinding;
import portcullis.serve.provider.RuleFileNames;

/** Shows which documented differences from heimdall touch a configuration and its rule sets. */
final class MigrateCheck {
  static final String DOC = "Shows which differences from heimdall concern a configuration and its rules.";
  static final String OPERANDS = "[<file or folder>...]";
  static final List<Arguments.Option> OPTIONS = List.of(
      new Arguments.Option(Flags.CONFIG, "-c", "FILE", "the configuration of heimdall"), Flags.OUTPUT);

  private static final String NOTHING = "nothing";

  private final Console console;

  MigrateCheck(Console console) {
    this.console = console;
  }

  /** 0 without findings, 1 with some or where a file cannot be read. */
  int run(Arguments arguments) throws Arguments.UsageException {
    String config = arguments.value(Flags.CONFIG)
        .orElseThrow(() -> new Arguments.UsageException("no config file provided: name one by `-c FILE`"));
    Problems problems = new Problems();
    Optional<Node> root = TextFile.read("configuration file", config, problems)
        .flatMap(file -> Yaml.read(file, problems));
    List<Node> rules = new ArrayList<>();
    root.ifPresent(node -> files(arguments.rest(), node, problems)
        .forEach(file -> TextFile.read("rule set", file.toString(), problems)
            .ifPresent(text -> rules.addAll(Yaml.documents(SubstitutedSource.unchanged(text), _ -> true, problems)))));
    console.show(problems);
    if (root.isEmpty()) {
      return 1;
    }
    List<MigrationFinding> found = MigrationCheck.of(root.get(), rules);
    console.say(Flags.json(arguments) ? JsonText.plain(Value.dict("findings",
        new Value.Array(found.stream().map(MigrateCheck::json).toList()))) : text(found, rules.size()));
    return found.isEmpty() && !problems.hasErrors() ? 0 : 1;
  }

  /** Returns the rule sets that are named, or those of the provider `file_system`. */
  private static List<Path> files(List<String> named, Node config, Problems problems) {
    List<String> sources = named.isEmpty() ? source(config).stream().toList() : named;
    List<Path> out = new ArrayList<>();
    for (String source : sources) {
      try {
        Path path = Path.of(source);
        if (Files.isDirectory(path)) {
          try (Stream<Path> files = Files.list(path)) {
            files.filter(file -> Files.isRegularFile(file) && RuleFileNames.isRead(file)).sorted()
                .forEach(out::add);
          }
        } else {
          out.add(path);
        }
      } catch (IOException | InvalidPathException e) {
        problems.error(Origin.BUILT_IN, "", "cannot read `" + source + "`: " + FileFailure.reason(e), "");
      }
    }
    return out;
  }

  private static Optional<String> source(Node config) {
    Optional<Node> found = Optional.of(config);
    for (String name : List.of("providers", "file_system", "src")) {
      found = found.flatMap(node -> node instanceof Node.Mapping mapping ? mapping.get(name) : Optional.empty());
    }
    return found.flatMap(node -> node instanceof Node.Scalar text ? Optional.of(text.text()) : Optional.empty());
  }

  private static String text(List<MigrationFinding> found, int ruleSets) {
    StringBuilder out = new StringBuilder();
    for (MigrationFinding finding : found) {
      out.append(finding.at().text()).append(finding.path().isEmpty() ? "" : ": " + finding.path())
          .append('\n')
          .append("    differs: ").append(finding.difference().row().replace("\\|", "|")).append('\n')
          .append("    here: ").append(finding.difference().here()).append('\n')
          .append("    to do: ").append(finding.difference().instead()).append('\n');
    }
    long changes = found.stream().filter(finding -> !finding.difference().instead().startsWith(NOTHING)).count();
    return out.append(found.size()).append(found.size() == 1 ? " difference concerns" : " differences concern")
        .append(" this configuration and ").append(ruleSets).append(ruleSets == 1 ? " rule set" : " rule sets")
        .append(", ").append(changes).append(changes == 1 ? " needs" : " need").append(" a look; ")
        .append("`portcullis validate` shows what is refused").toString();
  }

  private static Value json(MigrationFinding finding) {
    Map<String, Value> out = new LinkedHashMap<>();
    if (finding.at() instanceof Origin.InFile at) {
      out.put("file", Value.of(at.file().name()));
      out.put("line", Value.of(at.line()));
      out.put("column", Value.of(at.column()));
    }
    out.put("path", Value.of(finding.path()));
    out.put("what", Value.of(finding.what()));
    out.put("difference", Value.of(finding.difference().row().replace("\\|", "|")));
    out.put("here", Value.of(finding.difference().here()));
    out.put("instead", Value.of(finding.difference().instead()));
    return new Value.Dict(out);
  }
}
