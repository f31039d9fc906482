package portcullis.migration;

import java.util.List;
import java.util.Set;
import portcullis.config.Node;

/** Differences that a configuration shows. */
final class ConfigurationChecks {
  private static final Set<String> KEY_TYPES = Set.of("RSA", "EC", "OKP", "oct");
  private static final Set<String> EVERYONE = Set.of("0/0", "0.0.0.0/0", "::/0", "0:0:0:0:0:0:0:0/0");

  private final Node root;
  private final Findings findings;

  private ConfigurationChecks(Node root, Findings findings) {
    this.root = root;
    this.findings = findings;
  }

  static void check(Node root, Findings findings) {
    ConfigurationChecks checks = new ConfigurationChecks(root, findings);
    checks.sections();
    Nodes.items(root, "mechanisms", "authenticators").forEach(checks::authenticator);
    Nodes.items(root, "mechanisms", "authorizers").forEach(checks::authorizer);
    Nodes.items(root, "mechanisms", "finalizers").forEach(checks::finalizer);
    Nodes.items(root, "mechanisms", "error_handlers").forEach(checks::errorHandler);
    Nodes.at(root, "default_rule").ifPresent(rule -> RuleChecks.steps(rule, findings));
    TextChecks.check(root, findings);
  }

  private void sections() {
    Nodes.text(root, "log", "level").filter(level -> level.text().equals("disabled"))
        .ifPresent(level -> findings.add(Difference.LOG_DISABLED, level));
    if (Nodes.at(root, "cache", "config").isPresent() && Nodes.at(root, "cache", "type").isEmpty()) {
      findings.add(Difference.CACHE_KIND, Nodes.at(root, "cache").orElseThrow());
    }
    if (Nodes.is(root, "true", "serve", "respond", "verbose")) {
      findings.add(Difference.VERBOSE, Nodes.at(root, "serve", "respond", "verbose").orElseThrow());
    }
    List<Node> proxies = Nodes.items(root, "serve", "trusted_proxies");
    proxies.stream().limit(1).forEach(proxy -> findings.add(Difference.FORWARDED_FIELDS, proxy));
    proxies.stream().filter(proxy -> proxy instanceof Node.Scalar text && EVERYONE.contains(text.text()))
        .forEach(proxy -> findings.add(Difference.EVERYONE_TRUSTED, proxy));
    List.of("cloud_blob", "kubernetes").forEach(name -> Nodes.at(root, "providers", name)
        .ifPresent(provider -> findings.add(Difference.CLOUD_PROVIDER, provider.at(), provider.path(), name)));
    Nodes.at(root, "providers", "http_endpoint")
        .ifPresent(provider -> findings.add(Difference.UNREACHABLE_RULES, provider));
    if (Nodes.is(root, "true", "providers", "file_system", "watch")) {
      findings.add(Difference.CHANGED_ORDER, Nodes.at(root, "providers", "file_system", "watch").orElseThrow());
    }
  }

  private void authenticator(Node definition) {
    Node config = Nodes.at(definition, "config").orElse(definition);
    boolean introspects = Nodes.is(definition, "oauth2_introspection", "type");
    if (Nodes.is(definition, "generic", "type")) {
      Nodes.at(config, "identity_info_endpoint").ifPresent(url -> findings.add(Difference.IDENTITY_STATUS, url));
    }
    if (introspects && Nodes.items(config, "assertions", "issuers").isEmpty()) {
      Nodes.at(config, "introspection_endpoint").ifPresent(url -> findings.add(Difference.SILENT_ISSUER, url));
    }
    if (Nodes.is(definition, "basic_auth", "type")) {
      Nodes.text(config, "password").filter(password -> password.text().contains(":"))
          .ifPresent(password -> findings.add(Difference.PASSWORD_COLON, password.at(), password.path(), ""));
    }
    Nodes.at(config, "metadata_endpoint").ifPresent(url -> findings.add(Difference.METADATA, url));
    Nodes.named(config, "body_parameter").forEach(name -> findings.add(Difference.BODY_TOKEN, name));
    assertions(config, findings);
  }

  /** Checks what a definition or a step requires of tokens. */
  static void assertions(Node config, Findings findings) {
    Nodes.items(config, "assertions", "issuers").stream()
        .filter(issuer -> issuer instanceof Node.Scalar text && text.text().contains("*"))
        .forEach(issuer -> findings.add(Difference.ISSUER_PATTERN, issuer));
    List<Node> algorithms = Nodes.items(config, "assertions", "allowed_algorithms");
    for (Node algorithm : algorithms) {
      if (algorithm instanceof Node.Scalar text && KEY_TYPES.contains(text.text())) {
        findings.add(Difference.KEY_TYPE, algorithm);
      } else if (algorithm instanceof Node.Scalar text && text.text().equals("none") && algorithms.size() == 1) {
        findings.add(Difference.NO_ALGORITHM, algorithm);
      }
    }
  }

  private void authorizer(Node definition) {
    Nodes.items(definition, "config", "forward_response_headers_to_upstream").stream().limit(1)
        .forEach(header -> findings.add(Difference.FORWARDED_RESPONSE, header));
  }

  private void finalizer(Node definition) {
    additions(Nodes.at(definition, "config").orElse(definition), findings);
    if (Nodes.is(definition, "oauth2_client_credentials", "type")) {
      Nodes.text(definition, "config", "auth_method").filter(method -> !method.text().equals("request_body"))
          .ifPresent(method -> findings.add(Difference.AUTH_METHOD, method));
    }
    Nodes.text(definition, "config", "header", "name")
        .ifPresent(name -> findings.add(Difference.PROTECTED_HEADER, name));
  }

  /** Checks the header fields and cookies that a finalizer or a step sets. */
  static void additions(Node config, Findings findings) {
    if (Nodes.at(config, "headers").orElse(null) instanceof Node.Mapping headers) {
      headers.members().forEach((name, member) -> {
        findings.add(Difference.PROTECTED_HEADER, member.nameAt(), member.value().path(), name);
        boolean insertsBody = member.value() instanceof Node.Scalar text
            && text.text().matches("(?s).*\\{\\{.*(Outputs|Attributes|Body).*}}.*");
        if (insertsBody) {
          findings.add(Difference.LINE_BREAK, member.value());
        }
      });
    }
    if (Nodes.at(config, "cookies").orElse(null) instanceof Node.Mapping cookies) {
      cookies.members().forEach((name, member) -> findings.add(Difference.PROTECTED_COOKIE, member.nameAt(),
          member.value().path(), name));
    }
  }

  private void errorHandler(Node definition) {
    if (Nodes.is(definition, "www_authenticate", "type")) {
      findings.add(Difference.CHALLENGE, Nodes.at(definition, "type").orElseThrow());
    }
    if (Nodes.is(definition, "redirect", "type")) {
      Nodes.text(definition, "config", "to").filter(to -> hostIsTemplate(to.text()))
          .ifPresent(to -> findings.add(Difference.REDIRECT_HOST, to));
    }
  }

  private static boolean hostIsTemplate(String url) {
    int begin = url.indexOf("://");
    String rest = begin < 0 ? url : url.substring(begin + 3);
    int slash = rest.indexOf('/');
    int action = rest.indexOf("{{");
    return action >= 0 && (slash < 0 || action < slash) && !url.startsWith("/");
  }
}
