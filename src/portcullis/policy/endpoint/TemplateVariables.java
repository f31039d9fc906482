package portcullis.policy.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;

/** Compiles templates of configurations and rules, in which mistyped members of known objects are errors. */
public final class TemplateVariables {
  private TemplateVariables() {}

  /** Initialized when the first template is compiled. */
  private static final class Shared {
    private static final Body BODY = body();
    private static final Value REQUEST = new Request("GET", "http", Authority.parse("localhost").orElseThrow(),
        RequestPath.ROOT, "",
        Fields.NONE, List.of(), BODY);
    private static final Value.Dict EXAMPLE = new Value.Dict(Map.of("Request", REQUEST, "Subject", new AnySubject(),
        "Outputs", Value.Dict.EMPTY, "Values", Value.Dict.EMPTY, "AuthenticationData", Value.EMPTY_STRING,
        "TokenIssuer", Value.EMPTY_STRING));

    /** Returns a body that has been read, as threads share it. */
    private static Body body() {
      Body body = Body.of("{}".getBytes(StandardCharsets.US_ASCII), "application/json");
      body.value();
      return body;
    }
  }

  /** Compiles a template; empty exactly if an error was added. */
  public static Optional<Template> compile(LocatedText text, Problems problems) {
    return Template.compile(text, Shared.EXAMPLE, problems);
  }

  /**
   * Checks the variables of a template that is rendered with this data.
   *
   * @param data whose variables are known besides those of configurations
   */
  public static Optional<Template> compile(LocatedText text, Value.Dict data, Problems problems) {
    Map<String, Value> all = new HashMap<>(data.members());
    all.putAll(Shared.EXAMPLE.members());
    return Template.compile(text, new Value.Dict(all), problems);
  }

  /** The members of every subject; some have principals too. */
  private record AnySubject() implements HostObject {
    @Override
    public String name() {
      return "Subject";
    }

    @Override
    public Set<String> members() {
      return Set.of("ID", "Attributes");
    }

    @Override
    public Optional<Value> member(String name) {
      return switch (name) {
        case "ID" -> Optional.of(Value.EMPTY_STRING);
        case "Attributes" -> Optional.of(Value.Dict.EMPTY);
        default -> Optional.empty();
      };
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public String text() {
      return "";
    }
  }
}
