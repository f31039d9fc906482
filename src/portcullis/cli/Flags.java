package portcullis.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import portcullis.cli.Arguments.Option;
import portcullis.config.Enforcement;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.EnvironmentOverrides;

/** The options that {@code serve} and {@code validate} share. */
final class Flags {
  static final String CONFIG = "--config";
  static final String PREFIX = "--env-config-prefix";
  static final Option ENVOY = new Option("--envoy-grpc", "", "", "serve Envoy's external authorization by gRPC "
      + "instead of HTTP");
  private static final String ALL = "--insecure";
  private static final String TLS = "--insecure-skip-all-tls-enforcement";
  static final String INGRESS = "--insecure-skip-ingress-tls-enforcement";
  static final String EGRESS = "--insecure-skip-egress-tls-enforcement";
  static final String UPSTREAM = "--insecure-skip-upstream-tls-enforcement";
  private static final String DEFAULT_RULE = "--insecure-skip-secure-default-rule-enforcement";
  private static final String PROXIES = "--insecure-skip-secure-trusted-proxies-enforcement";

  static final List<Option> INSECURE = List.of(
      new Option(ALL, "", "", "give up all of the enforcement below"),
      new Option(TLS, "", "", "let TLS be missing anywhere"),
      new Option(INGRESS, "", "", "let listeners be without TLS"),
      new Option(EGRESS, "", "", "allow calls of remote services without TLS"),
      new Option(UPSTREAM, "", "", "let rules name upstreams without TLS"),
      new Option(DEFAULT_RULE, "", "", "allow a default rule without authentication"),
      new Option(PROXIES, "", "", "allow all addresses as trusted proxies"));

  /** Not part of {@code --insecure}, as it is given for a single start only. */
  private static final Option ROLLBACK = new Option("--allow-rollback", "", "",
      "allow a signed bundle with a lower counter than the last");

  static final Option OUTPUT = new Option("--output", "-o", "text|json", "how results are written");

  private Flags() {}

  /** Returns whether results are for programs. */
  static boolean json(Arguments a) {
    return a.value(OUTPUT.name()).filter("json"::equals).isPresent();
  }

  /** Returns all of them, and more. */
  static List<Option> with(Option... more) {
    List<Option> out = new ArrayList<>(List.of(new Option(CONFIG, "-c", "FILE", "the configuration"),
        new Option(PREFIX, "", "PREFIX", "of environment variables that override the configuration")));
    out.addAll(INSECURE);
    out.add(ROLLBACK);
    out.addAll(List.of(more));
    return out;
  }

  /** Returns the configuration that the options name, and what they say of it. */
  static ConfigurationFile configuration(Arguments a) {
    return new ConfigurationFile(a.value(CONFIG), EnvironmentOverrides.ofProcess(a.value(PREFIX)), enforcement(a));
  }

  /** Returns what is still insisted on. */
  static Enforcement enforcement(Arguments a) {
    boolean all = a.on(ALL);
    boolean tls = all || a.on(TLS);
    return new Enforcement(!all && !a.on(DEFAULT_RULE), !tls && !a.on(INGRESS), !tls && !a.on(EGRESS),
        !tls && !a.on(UPSTREAM),
        !all && !a.on(PROXIES), !a.on(ROLLBACK.name()));
  }

  /** Returns the options by which enforcement was given up, as they were written. */
  static List<String> insecure(Arguments a) {
    return Stream.concat(INSECURE.stream(), Stream.of(ROLLBACK)).map(Option::name).filter(a::has).toList();
  }
}
