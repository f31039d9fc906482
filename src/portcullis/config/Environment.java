package portcullis.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;

/** Merges settings of environment variables into the tree of a file. */
public final class Environment {
  private Environment() {}

  /**
   * A variable that sets something.
   *
   * @param steps the way from the root: names of members and numbers of items
   */
  record Setting(Origin.InEnvironment origin, List<String> steps, String value) {}

  /**
   * The file's tree with what the environment sets: {@code PREFIX_SERVE_TRUSTED__PROXIES_0} is {@code
   * serve.trusted_proxies[0]}. Mappings and lists are merged, single values replaced. Empty where neither says
   * anything.
   *
   * @param prefixes of the variables that count, the strongest first; with a blank one those count that begin with a
   * name
   *     at the root
   * @param root what the file's tree looks like
   */
  public static Optional<Node> overlay(Optional<Node> file, Map<String, String> environment, List<String> prefixes,
      Shape root,
      Problems problems) {
    List<Setting> settings = new ArrayList<>();
    Map<List<String>, Setting> seen = new HashMap<>();
    for (String prefix : prefixes) {
      List<Setting> own = settings(environment, prefix.strip(), root, problems);
      own.removeIf(setting -> {
        Setting stronger = seen.putIfAbsent(setting.steps(), setting);
        if (stronger != null) {
          problems.warning(setting.origin(), "", "has no effect",
              "`" + stronger.origin().variable() + "` sets the same");
        }
        return stronger != null;
      });
      settings.addAll(0, own);
    }
    return settings.isEmpty() ? file : EnvironmentMerge.of(file, settings, problems);
  }

  /** Returns those of a prefix; what is set as a whole comes before its parts. */
  private static List<Setting> settings(Map<String, String> environment, String prefix, Shape root, Problems problems) {
    List<Setting> out = new ArrayList<>();
    environment.forEach((variable, value) -> {
      if (!variable.startsWith(prefix)) {
        return;
      }
      Setting setting = new Setting(new Origin.InEnvironment(variable), steps(variable.substring(prefix.length())),
          value);
      if (prefix.isEmpty() && !isKnown(setting.steps().getFirst(), root)) {
        return;
      }
      if (setting.steps().contains("")) {
        problems.error(setting.origin(), "", "names no setting", "as `" + prefix + "SERVE_PORT`");
        return;
      }
      out.add(setting);
    });
    out.sort((one, other) -> { // comparators of the JDK may be serialized, and are not in the AOT cache for that
      int order = compare(one.steps(), other.steps());
      return order != 0 ? order : one.origin().variable().compareTo(other.origin().variable());
    });
    return out;
  }

  private static boolean isKnown(String name, Shape root) {
    return root instanceof Shape.Members members && members.keys().stream().anyMatch(key -> key.name().equals(name));
  }

  /** {@code step ( "_" step )*}, where {@code __} stands for an underscore within a step. */
  private static List<String> steps(String name) {
    List<String> out = new ArrayList<>();
    StringBuilder step = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      boolean underscore = name.charAt(i) == '_';
      if (underscore && i + 1 < name.length() && name.charAt(i + 1) == '_') {
        i++;
      } else if (underscore) {
        out.add(step.toString());
        step.setLength(0);
        continue;
      }
      step.append(name.charAt(i));
    }
    out.add(step.toString());
    out.replaceAll(
        s -> EnvironmentMerge.isNumber(s) ? Integer.toString(Integer.parseInt(s)) : s.toLowerCase(Locale.ROOT));
    return List.copyOf(out);
  }

  /** Compares numbers by their value; a whole precedes its parts. */
  private static int compare(List<String> a, List<String> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      boolean numbers = EnvironmentMerge.isNumber(a.get(i)) && EnvironmentMerge.isNumber(b.get(i));
      int order = numbers ? Integer.compare(Integer.parseInt(a.get(i)), Integer.parseInt(b.get(i)))
          : a.get(i).compareTo(b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }
}
