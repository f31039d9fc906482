package portcullis.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.config.Enforcement;
import portcullis.lang.expression.ErrorKind;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.catalogue.MechanismKind;
import portcullis.policy.decision.FailureKind;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.endpoint.EndpointDecoder;
import portcullis.policy.mechanism.MechanismType;
import portcullis.serve.provider.Providers;

/** The pages that the program generates of itself. */
public final class Reference {
  private Reference() {}

  /** Returns the topics of {@code portcullis help}. */
  public static List<Topic> topics() {
    return List.of(
        new Topic("rules", "Explains rules: paths, hosts, methods, precedence, steps, inheritance.", Reference::rules),
        new Topic("templates", "Lists the variables and functions of templates.", Reference::templates),
        new Topic("expressions", "Lists the variables, operators and functions of expressions.",
            Reference::expressions),
        new Topic("errors", "Explains the kinds of error and how they are answered.", Reference::errors),
        new Topic("providers", "Explains where rule sets come from, and their settings.", Reference::providers),
        new Topic("endpoints", "Lists the settings of remote services: credentials, retries, caching, TLS.",
            Reference::endpoints));
  }

  /** Returns all pages of this package: the topics and the types of mechanisms. */
  public static List<Page> pages() {
    return Stream.concat(topics().stream().map(topic -> topic.page().get()), MechanismPages.all().stream()).toList();
  }

  /** Returns the page of a type of mechanism. */
  public static Page mechanism(MechanismKind<?> kind, MechanismType<?, ?> type) {
    return MechanismPages.page(kind, type);
  }

  /** Returns a list of the types of mechanisms by kind, each with a link to its page. */
  public static String mechanisms() {
    return Prose.table(List.of("kind", "types"), Catalogue.KINDS.stream().map(kind -> List.of(kind.name(),
        kind.types().stream().map(type -> "[" + type.name() + "](" + MechanismPages.FOLDER
            + MechanismPages.name(kind, type) + ".md)").collect(Collectors.joining(", "))))
        .toList());
  }

  private static Page rules() {
    return Prose.page("rules", Map.of("example", () -> MechanismPages.blocks(MechanismPages.example("rules"))));
  }

  private static Page templates() {
    return Prose.page("templates", Map.of("request", () -> RequestTable.of("."), "functions",
        FunctionPages::templates, "unsupported", FunctionPages::unsupported));
  }

  private static Page expressions() {
    return Prose.page("expressions",
        Map.of("request", () -> RequestTable.of(""), "functions", FunctionPages::expressions, "operators",
            FunctionPages::operators, "errors", Reference::errorKinds));
  }

  private static String errorKinds() {
    return Prose.table(List.of("constant", "error"), Arrays.stream(ErrorKind.values()).map(
        kind -> List.of(Prose.code(kind.constant()), Arrays.stream(FailureKind.values())
            .filter(failure -> failure.constant().equals(Optional.of(kind.constant()))).map(FailureKind::meaning)
            .collect(Collectors.joining("; "))))
        .toList());
  }

  private static Page errors() {
    return Prose.page("errors", Map.of("kinds", Reference::failureKinds, "example",
        () -> MechanismPages.blocks(MechanismPages.example("errors"))));
  }

  private static String failureKinds() {
    List<List<String>> rows = new ArrayList<>();
    for (FailureKind kind : FailureKind.values()) {
      rows.add(List.of(Prose.code(kind.constant().orElse("")), kind.meaning(),
          Integer.toString(ResponseSettings.DEFAULT.with().of(kind)), Prose.code(kind.key().orElse(""))));
    }
    return Prose.table(List.of("`type(Error)`", "when", "status", "key in `serve.respond.with`"), rows);
  }

  private static Page providers() {
    return Prose.page("providers",
        Map.of("keys", () -> KeyTable.of(Providers.decoder(Enforcement.ALL).shape(), "endpoints.md")));
  }

  private static Page endpoints() {
    return Prose.page("endpoints", Map.of("keys", () -> KeyTable.of(EndpointDecoder.decoder().shape(), "")));
  }
}
