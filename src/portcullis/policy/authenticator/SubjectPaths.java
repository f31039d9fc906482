package portcullis.policy.authenticator;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.gjson.GjsonPath;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Subject;

/**
 * Where a document contains the identifier and the attributes of a subject; by default the attributes are the whole
 * document.
 */
record SubjectPaths(GjsonPath id, GjsonPath attributes) {
  private static final String ALL = "@this";

  /** The paths in tokens (RFC 7519, 4.1.2; RFC 7662, 2.2). */
  static final SubjectPaths OF_TOKEN = of("sub", ALL);

  private static SubjectPaths of(String id, String attributes) {
    return new SubjectPaths(GjsonPath.parse(id), GjsonPath.parse(attributes));
  }

  /**
   * Decodes the paths.
   *
   * @param defaultPath the default path of the identifier; empty if it is required
   */
  static Decoder<SubjectPaths> decoder(Optional<String> defaultPath) {
    Key<String> id = defaultPath
        .map(path -> Key.withDefault("id", Decoders.nonEmpty(), path, "the GJSON path of the identifier"))
        .orElseGet(() -> Key.required("id", Decoders.nonEmpty(), "the GJSON path of the identifier"));
    Key<String> attributes = Key.withDefault("attributes", Decoders.nonEmpty(), ALL,
        "the GJSON path of the attributes");
    return Decoders.object("a subject", List.of(id, attributes), p -> of(p.get(id), p.get(attributes)));
  }

  /**
   * Returns the subject of the document.
   *
   * @param what the document is, for the failure: {@code jwt}
   */
  Subject in(Value document, String what) throws Failure {
    String name = id.get(document).map(GjsonPath::text).orElse("");
    if (name.isEmpty()) {
      throw failed(what, "could not extract subject identifier using '" + id + "' template");
    }
    Value found = isAll() ? document
        : attributes.get(document)
            .orElseThrow(() -> failed(what, "could not extract attributes using '" + attributes + "' template"));
    if (found instanceof Value.Dict dict) {
      return new Subject(name, dict);
    }
    throw failed(what, "unexpected response from gjson template: the attributes are not a JSON object");
  }

  private boolean isAll() {
    return attributes.toString().equals(ALL);
  }

  private static Failure failed(String what, String why) {
    return new Failure.Internal("failed to extract subject information from " + what, why);
  }
}
