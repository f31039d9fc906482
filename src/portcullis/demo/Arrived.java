package portcullis.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.keys.KeyEntry;
import portcullis.lang.value.Value;

/** What reached the upstream; immutable. */
record Arrived(Visit visit, Optional<OpenedToken> token) {
  static final String API = "/api/documents";

  private static final Set<String> OF_THE_PROXY = Set.of("forwarded", "x-forwarded-for", "x-forwarded-host",
      "x-forwarded-proto");
  private static final int SHOWN = 24;

  static Arrived of(Visit visit, KeyEntry proxyKey) {
    return new Arrived(visit, OpenedToken.of(visit, proxyKey));
  }

  /** Who asks, as the proxy says by its token; nobody is believed who says it himself. */
  Optional<String> subject() {
    return token.filter(OpenedToken::genuine).flatMap(opened -> opened.text("sub"));
  }

  /** What to call the subject. */
  Optional<String> name() {
    return token.filter(OpenedToken::genuine).flatMap(opened -> opened.text("name")).or(this::subject);
  }

  /** The documents that the proxy says the subject may view; empty where it says nothing of it. */
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

  /** The document that the path names. */
  Optional<Document> document() {
    String prefix = API + "/";
    return visit.path().startsWith(prefix) ? Document.withObject("document:" + visit.path().substring(prefix.length()))
        : Optional.empty();
  }

  /** The header fields, credentials cut short. */
  Map<String, String> headers() {
    Map<String, String> out = new LinkedHashMap<>(visit.headers());
    out.replaceAll((name, value) -> name.equalsIgnoreCase("Authorization") && value.length() > SHOWN
        ? value.substring(0, SHOWN) + "…"
        : value);
    return out;
  }

  /** Whether the proxy has written a field, rather than the client. */
  boolean isOfTheProxy(String name) {
    boolean ours = name.equalsIgnoreCase("Authorization") && token.filter(OpenedToken::genuine).isPresent();
    return ours || OF_THE_PROXY.contains(name.toLowerCase(Locale.ROOT));
  }
}
