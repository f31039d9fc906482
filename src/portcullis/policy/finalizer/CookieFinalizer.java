package portcullis.policy.finalizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.http.message.Field;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.FieldName;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.RequestAdditions;
import portcullis.policy.mechanism.Templates;

/** Sets cookies, in the configured order. */
public record CookieFinalizer(SequencedMap<String, Template> templates) implements Mechanism.Finalizer {
  private static final String DOC = "the cookies by name, templates of Request, Subject and Outputs";
  public static final MechanismType<SequencedMap<String, Template>, Mechanism.Finalizer> TYPE = MechanismType.of(
      Mechanism.Finalizer.class, "cookie", settings(), CookieFinalizer::refined,
      (map, _, _) -> Optional.of(new CookieFinalizer(map)))
      .purpose("Adds cookies to the request for the upstream. Cookies of the client with these names are removed; "
          + "behind Envoy all of the client's are. Where another proxy only asks for a decision, the response has them "
          + "as `Set-Cookie`, and the proxy forwards the client's own: use headers there. Quotes, semicolons, "
          + "backslashes and control characters, which a cookie cannot carry, are left out of values, so that "
          + "different ones may become the same: `urlenc` keeps them apart.")
      .fails(ErrorKind.INTERNAL, "a template fails");

  private static Decoder<SequencedMap<String, Template>> settings() {
    return settings(Key.required("cookies", FieldName.templates(), DOC));
  }

  private static Decoder<SequencedMap<String, Template>> refined(SequencedMap<String, Template> defined) {
    return settings(Key.withDefault("cookies", FieldName.templates(), defined, DOC));
  }

  private static Decoder<SequencedMap<String, Template>> settings(Key<SequencedMap<String, Template>> cookies) {
    return Decoders.object("settings", List.of(cookies), parts -> parts.get(cookies));
  }

  @Override
  public RequestAdditions finish(PipelineState state) throws Failure {
    Value.Dict scope = state.scope();
    List<Field> cookies = new ArrayList<>();
    for (Map.Entry<String, Template> entry : templates.entrySet()) {
      String what = "value for '" + entry.getKey() + "' cookie";
      cookies.add(new Field(entry.getKey(), cleaned(Templates.text(entry.getValue(), scope, what))));
    }
    return RequestAdditions.cookies(cookies);
  }

  /**
   * Removes what a cookie value cannot contain (RFC 6265, 4.1.1), so that it cannot become attributes or another
   * cookie.
   */
  private static String cleaned(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.chars().filter(c -> c >= ' ' && c != '"' && c != ';' && c != '\\' && c != 127)
        .forEach(c -> out.append((char) c));
    return out.toString();
  }

  @Override
  public Set<String> cookies() {
    return templates.keySet();
  }
}
