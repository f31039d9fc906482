package portcullis.authenticator;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.gjson.GjsonPath;
import portcullis.mechanism.Failure;
import portcullis.mechanism.Subject;
import portcullis.value.Value;

/** Where the identifier and the attributes of a subject stand in a document. */
record SubjectPaths(String id, String attributes) {
  private static final String ALL = "@this";

  /** With that path to the identifier where none is written; without one it has to be. */
  static Decoder<SubjectPaths> decoder(Optional<String> standard) {
    Key<String> id = standard.map(path -> Key.standard("id", Decoders.nonEmpty(), path, "path of the identifier"))
        .orElseGet(() -> Key.required("id", Decoders.nonEmpty(), "path of the identifier"));
    Key<String> attributes = Key.standard("attributes", Decoders.nonEmpty(), ALL, "path of the attributes");
    return Decoders.object("a subject", List.of(id, attributes), p -> new SubjectPaths(p.get(id), p.get(attributes)));
  }

  /** The subject that the document names. */
  Subject in(Value document) throws Failure {
    String name = GjsonPath.parse(id).get(document).filter(v -> !(v instanceof Value.Null)).map(GjsonPath::text).orElse("");
    if (name.isEmpty()) {
      throw new Failure.Internal("could not extract subject identifier using '" + id + "' template");
    }
    Value found = attributes.equals(ALL) ? document : GjsonPath.parse(attributes).get(document)
        .orElseThrow(() -> new Failure.Internal("could not extract attributes using '" + attributes + "' template"));
    if (!(found instanceof Value.Dict dict)) {
      throw new Failure.Internal("unexpected response from gjson template: the attributes are no object");
    }
    return new Subject(name, dict);
  }
}
