package portcullis.serve.service;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.lang.address.Address;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.policy.rule.AccessSteps;

/**
 * The settings of the console.
 *
 * @param execute the steps that decide who may use it, as they are written; present if it is enabled
 * @param coverageFile what test cases have tried of the rules; empty if it is not shown
 */
public record ConsoleSettings(boolean enabled, Optional<Node> execute, Optional<LocatedText> coverageFile) {
  public static final ConsoleSettings DEFAULT = new ConsoleSettings(false, Optional.empty(), Optional.empty());

  static Decoder<ConsoleSettings> decoder() {
    Key<Boolean> enabled = Key.withDefault("enabled", Decoders.flag(), false, "whether the console is served");
    Key<Optional<Node>> execute = Key.optional("execute", AccessSteps.section(),
        "who may use it: authenticators, authorizers and contextualizers as in a rule; required if it is enabled");
    Key<Optional<LocatedText>> coverage = Key.optional("coverage_file",
        Decoders.nonEmpty().then((_, node, _) -> Optional.of((LocatedText) node)),
        "the coverage of rules by test cases, written by `portcullis test --coverage-file`; by default not shown");
    return Decoders.checked("the console", List.of(enabled, execute, coverage), (parts, problems) -> {
      if (parts.get(enabled) && parts.get(execute).isEmpty()) {
        problems.error(parts.node().at(), parts.node().path(), "the console is enabled for everyone",
            "say who may use it by `execute`, as in `execute: [{authenticator: staff}]`");
        return Optional.empty();
      }
      return Optional.of(new ConsoleSettings(parts.get(enabled), parts.get(execute), parts.get(coverage)));
    });
  }

  /** Returns whether a listener on this host is reachable from this machine only. */
  private static boolean isLocal(String host) {
    String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    return bare.toLowerCase(Locale.ROOT).equals("localhost")
        || Address.parse(bare).filter(InetAddress::isLoopbackAddress).isPresent();
  }

  /** Returns whether everyone who reaches the listener may be admitted. */
  public boolean isOpen(ListenerSettings settings) {
    return isLocal(settings.host());
  }

  /** Adds a problem where the console would be reachable from other machines without TLS. */
  static boolean isSafe(ListenerSettings settings, Origin at, Problems problems) {
    boolean isSafe = !settings.get(ListenerSettings.CONSOLE).enabled || settings.tls().isPresent()
        || isLocal(settings.host());
    if (!isSafe) {
      String where = settings.host().isEmpty() ? "all addresses" : "`" + settings.host() + "`";
      problems.error(at, "management.console", "the console is enabled on " + where + " without TLS",
          "set `management.host` to 127.0.0.1, or configure `management.tls`");
    }
    return isSafe;
  }
}
