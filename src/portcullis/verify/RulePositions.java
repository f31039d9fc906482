package portcullis.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import portcullis.config.Node;
import portcullis.config.SubstitutedSource;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.rule.Rule;
import portcullis.serve.provider.FileSystem;

/** Where rules and their steps are written, as far as they are in files. For one thread. */
public final class RulePositions {
  private final Map<String, Map<String, String>> sources = new HashMap<>();

  /** Reads the rule set of a source once. */
  void read(String source) {
    sources.computeIfAbsent(source, RulePositions::positions);
  }

  private static Map<String, String> positions(String source) {
    Map<String, String> out = new HashMap<>();
    if (!source.startsWith(FileSystem.KIND)) {
      return out;
    }
    try {
      Path file = Path.of(source.substring(FileSystem.KIND.length()).replaceFirst("^:", ""));
      SourceFile text = new SourceFile(shown(file), Files.readString(file));
      Yaml.documents(SubstitutedSource.unchanged(text), _ -> true, new Problems())
          .forEach(document -> document(document, out));
    } catch (IOException | InvalidPathException _) {
      // a file that has gone meanwhile: its rules are named without their places
    }
    return out;
  }

  private static String shown(Path file) {
    Path here = Path.of("").toAbsolutePath();
    return file.startsWith(here) ? here.relativize(file).toString() : file.toString();
  }

  private static Optional<Node> member(Node node, String name) {
    return node instanceof Node.Mapping mapping ? mapping.get(name) : Optional.empty();
  }

  /** A rule set, an object of Kubernetes with one, or a list of these. */
  private static void document(Node root, Map<String, String> out) {
    member(root, "rules").or(() -> member(root, "spec").flatMap(spec -> member(spec, "rules")))
        .ifPresent(rules -> rules(rules, out));
    if (member(root, "items").orElse(root) instanceof Node.Sequence items) {
      items.items().forEach(item -> document(item, out));
    }
  }

  private static void rules(Node rules, Map<String, String> out) {
    if (rules instanceof Node.Sequence list) {
      for (Node rule : list.items()) {
        String id = member(rule, "id").map(RulePositions::text).orElse("");
        out.put(id, rule.at().text());
        for (String part : new String[] {"execute", "on_error"}) {
          member(rule, part).ifPresent(steps -> steps(id, steps, out));
        }
      }
    }
  }

  /** A step is known by its id, or by the mechanism that it refers to. */
  private static void steps(String rule, Node steps, Map<String, String> out) {
    if (steps instanceof Node.Sequence list) {
      for (Node step : list.items()) {
        for (String name : new String[] {"id", "authenticator", "authorizer", "contextualizer", "finalizer",
          "error_handler"}) {
          Optional<String> id = member(step, name).map(RulePositions::text);
          if (id.isPresent()) {
            out.putIfAbsent(rule + "\n" + id.get(), step.at().text());
            break;
          }
        }
      }
    }
  }

  private static String text(Node node) {
    return node instanceof Node.Scalar scalar ? scalar.text() : "";
  }

  /** Returns where the step of that id is written, or its rule; empty where that is not known. */
  String of(String source, String rule, String step) {
    Map<String, String> places = sources.getOrDefault(source, Map.of());
    return places.getOrDefault(rule + "\n" + step, places.getOrDefault(rule, ""));
  }

  /** Returns the file and line of a rule; empty where it is not in a file. */
  public Optional<String> of(Rule rule) {
    read(rule.source());
    return Optional.ofNullable(sources.get(rule.source()).get(rule.id()));
  }

  /** Returns the place with a colon and a blank, or nothing where it is not known. */
  String of(Coverage.Point point) {
    Map<String, String> places = sources.getOrDefault(point.source(), Map.of());
    String place = places.getOrDefault(point.rule() + "\n" + point.step(), places.getOrDefault(point.rule(), ""));
    return place.isEmpty() ? "" : place + ": ";
  }
}
