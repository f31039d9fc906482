package portcullis.config;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** Finds what looks like a variable of the environment in a rule file whose variables are not substituted. */
public final class LiteralVariables {
  /** A name in capitals, as is the custom; {@code ${name}} is more often meant for somebody else. */
  private static final Pattern VARIABLE = Pattern
      .compile("\\$\\{(?<name>[A-Z_][A-Z0-9_]*)([-:=+?#%/^,][^}\\n]*)?}");

  private LiteralVariables() {}

  /** Adds a warning for each variable at its first place outside of comments. */
  public static void report(SourceFile file, Problems problems) {
    if (!file.text().contains("${")) {
      return;
    }
    SubstitutedSource source = SubstitutedSource.unchanged(file);
    Set<String> found = new HashSet<>();
    for (Matcher match = VARIABLE.matcher(file.text()); match.find();) {
      if (!source.isComment(match.start()) && found.add(match.group("name"))) {
        problems.warning(source.at(match.start(), match.end()), "",
            "environment variable " + Decoders.shortened(match.group("name")) + " is not substituted in this file",
            "write `env_vars_enabled: true` in `providers.file_system`, or `false` if the text is meant");
      }
    }
  }
}
