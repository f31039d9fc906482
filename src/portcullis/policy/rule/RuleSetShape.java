package portcullis.policy.rule;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
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
  /** Of a value of a rule; without those around it rules are not read. */
  private static final Pattern IN_RULE = Pattern.compile("(?:.*\\.)?rules\\[[0-9]+]\\..+");

  private static final Comparator<Origin.InFile> PLACE = Comparator.comparingInt(Origin.InFile::line)
      .thenComparingInt(Origin.InFile::column);

  private RuleSetShape() {}

  /** Adds an error for what no service would accept as a rule set. */
  public static void check(SourceFile file, Problems problems) {
    Problems syntax = new Problems();
    List<Node> documents = Yaml.documents(SubstitutedSource.unchanged(file), RuleSetDecoder::isManifest, syntax);
    syntax.sorted().stream().filter(Problem::isError).forEach(problems::add);
    if (syntax.hasErrors()) {
      return;
    }
    Problems found = new Problems();
    check(file, documents, found);
    List<Node.Scalar> variables = documents.stream().flatMap(document -> document.scalars().stream())
        .filter(scalar -> scalar.text().contains(VARIABLE) && IN_RULE.matcher(scalar.path()).matches()).toList();
    found.sorted().stream().filter(Problem::isError)
        .filter(problem -> variables.stream().noneMatch(scalar -> isAbout(problem, scalar))).forEach(problems::add);
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

  /** What the variables of a value of a rule stand for, where services fill them in, is not known. */
  private static boolean isAbout(Problem problem, Node.Scalar value) {
    return problem.at() instanceof Origin.InFile place && value.at(0) instanceof Origin.InFile begin
        && value.at(value.text().length()) instanceof Origin.InFile end
        && PLACE.compare(begin, place) <= 0 && PLACE.compare(place, end) <= 0;
  }
}
