package portcullis.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.source.Problems;

/** Settings that environment variables make. */
public final class Environment {
  private Environment() {}

  /**
   * The file's tree with what the environment sets: {@code PREFIX_SERVE_TRUSTED__PROXIES_0} is {@code
   * serve.trusted_proxies[0]}. Lists and mappings are merged, single values replaced. Empty where neither says anything.
   *
   * @param prefixes of the variables that count, the strongest first; with a blank one those count that begin with a name
   *     at the root
   * @param root what the file's tree looks like
   */
  public static Optional<Node> overlay(Optional<Node> file, Map<String, String> environment, List<String> prefixes, Shape root,
      Problems problems) {
    return file;
  }
}
