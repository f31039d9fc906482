package portcullis.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.keys.KeyEntry;
import portcullis.lang.value.Value;

/** A request as it reached the upstream; immutable. */
record Arrived(Visit visit, Optional<OpenedToken> token) {
  static final String API = "/api/documents";

  private static final Set<String> OF_THE_PROXY = Set.of("forwarded", "x-forwarded-for", "x-forwarded-host",
      "x-forwarded-proto", "x-request-id");
  private static final int SHOWN = 24;

  static Arrived of(Visit visit, KeyEntry proxyKey) {
    return new Arrived(visit, OpenedToken.of(visit, proxyKey));
  }

  /** Returns the subject of the token of the proxy; what a client claims itself is not trusted. */
  Optional<String> subject() {
    return token.filter(OpenedToken::genuine).flatMap(opened -> opened.text("sub"));
  }

  /** Returns the display name of the subject. */
  Optional<String> name() {
    return token.filter(OpenedToken::genuine).flatMap(opened -> opened.text("name")).or(this::subject);
  }

  /** Returns the documents that the subject may view according to the token; empty if it does not contain them. */
  Optional<List<Document>> viewable() {
    return token.filter(OpenedToken::genuine).flatMap(opened -> opened.claims().get("documents"))
        .map(Arrived::documents);
  }

  private static List<Document> documents(Value claim) {
    List<Value> objects = claim instanceof Value.Array array ? array.items() : List.of();
    return objects.stream().flatMap(object -> object instanceof Value.Str(String text)
        ? Document.withObject(text).stream()
        : Optional.<Document>empty().stream()).toList();
  }

  /** Returns the document at the path. */
  Optional<Document> document() {
    String prefix = API + "/";
    return visit.path().startsWith(prefix) ? Document.withObject("document:" + visit.path().substring(prefix.length()))
        : Optional.empty();
  }

  /** Returns the header fields, with shortened credentials. */
  Map<String, String> headers() {
    Map<String, String> out = new LinkedHashMap<>(visit.headers());
    out.replaceAll((name, value) -> name.equalsIgnoreCase("Authorization") && value.length() > SHOWN
        ? value.substring(0, SHOWN) + "…"
        : value);
    return out;
  }

  /** Returns whether the proxy wrote the field, rather than the client. */
  boolean isOfTheProxy(String name) {
    boolean ours = name.equalsIgnoreCase("Authorization") && token.filter(OpenedToken::genuine).isPresent();
    return ours || OF_THE_PROXY.contains(name.toLowerCase(Locale.ROOT));
  }
}
