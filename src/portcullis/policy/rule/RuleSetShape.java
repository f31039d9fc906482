package portcullis.policy.rule;

import java.util.List;
import java.util.Optional;
import portcullis.config.Node;
import portcullis.config.SubstitutedSource;
import portcullis.config.Yaml;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** Checks rule sets without a configuration: their keys, values and patterns, not the mechanisms that they refer to. */
public final class RuleSetShape {
  private static final String VARIABLE = "${";

  private RuleSetShape() {}

  /** Adds an error for what no service would accept as a rule set. */
  public static void check(SourceFile file, Problems problems) {
    Problems found = new Problems();
    List<Node> documents = Yaml.documents(SubstitutedSource.unchanged(file), RuleSetDecoder::isManifest, found);
    if (!found.hasErrors()) {
      check(file, documents, found);
    }
    List<String> lines = file.text().lines().toList();
    found.sorted().stream().filter(Problem::isError).filter(problem -> !isAboutVariable(problem, lines))
        .forEach(problems::add);
  }

  private static void check(SourceFile file, List<Node> documents, Problems problems) {
    Origin begin = new Origin.InFile(file, 1, 1, 1);
    if (documents.isEmpty()) {
      problems.error(begin, "", "the file is empty: it has no rules", "leave it out");
    } else if (RuleReader.isOther(file)) {
      problems.error(begin, "", "these are test cases or a schema, not a rule set", "leave the file out");
    } else {
      Optional<List<RuleDraft>> drafts = new RuleSetDecoder(false, false).decode(documents, problems);
      drafts.ifPresent(all -> all.forEach(draft -> {
        draft.match().conditions(draft.slashes(), problems);
        draft.match().compiled(draft.slashes(), problems);
      }));
      if (drafts.isEmpty() && !problems.hasErrors()) {
        problems.error(begin, "", "the file has no rules", "leave it out");
      }
    }
  }

  /** What a variable stands for, where services fill it in, is not known. */
  private static boolean isAboutVariable(Problem problem, List<String> lines) {
    return problem.at() instanceof Origin.InFile place && place.line() <= lines.size()
        && lines.get(place.line() - 1).contains(VARIABLE);
  }
}
