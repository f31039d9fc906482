package portcullis.policy.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.http.message.Grammar;
import portcullis.lang.source.Problems;
import portcullis.policy.endpoint.Credentials.ApiKey.Place;

/** Reads how calls are authenticated: {@code type} and what belongs to it. */
final class CredentialsDecoder {
  private static final Map<String, Decoder<? extends Credentials>> TYPES = Map.of("basic_auth", basic(), "api_key",
      key(),
      "oauth2_client_credentials", token(), "http_message_signatures", signed());

  private CredentialsDecoder() {}

  static Decoder<Credentials> decoder() {
    Key<String> type = Key.required("type", Decoders.oneOf(TYPES.keySet().stream().sorted().toArray(String[]::new)),
        "the strategy");
    Key<Node> config = Key.required("config", Decoders.node(), "its settings");
    Decoder<Credentials> credentials = Decoders.checked("credentials", List.of(type, config), (parts, problems) -> TYPES
        .get(parts.get(type)).decode(parts.get(config), problems).map(Credentials.class::cast));
    return credentials.described(shape());
  }

  private static Shape shape() {
    SequencedMap<String, Shape> options = new LinkedHashMap<>();
    TYPES.keySet().stream().sorted().forEach(type -> options.put(type, new Shape.Members("credentials",
        List.of(Key.required("config", TYPES.get(type), "its settings")))));
    return new Shape.Choice("type", options);
  }

  private static Decoder<Credentials.Basic> basic() {
    Key<String> user = Key.required("user", Decoders.nonEmpty(), "the user");
    Key<String> password = Key.required("password", Decoders.nonEmpty(), "the password");
    return Decoders.object("settings", List.of(user, password),
        parts -> new Credentials.Basic(parts.get(user), parts.get(password)));
  }

  private static Decoder<Credentials.ApiKey> key() {
    SequencedMap<String, Place> places = new LinkedHashMap<>();
    places.put("header", Place.HEADER);
    places.put("cookie", Place.COOKIE);
    places.put("query", Place.QUERY);
    Key<Place> in = Key.required("in", Decoders.choice(places), "where the key is sent");
    Key<String> name = Key.required("name", Decoders.nonEmpty(), "the name of the field, cookie or parameter");
    Key<String> value = Key.required("value", Decoders.nonEmpty(), "the key");
    return Decoders.checked("settings", List.of(in, name, value), (p, problems) -> {
      boolean cookie = p.get(in) == Place.COOKIE;
      boolean fits = p.get(in) == Place.QUERY
          || isName(p, name, cookie, problems) & isValue(p, value, cookie, problems);
      return fits ? Optional.of(new Credentials.ApiKey(p.get(in), p.get(name), p.get(value))) : Optional.empty();
    });
  }

  private static boolean isName(DecodedMembers p, Key<String> name, boolean cookie, Problems problems) {
    return cookie ? EndpointDecoder.isToken(p.get(name), p.at(name), path(p, name), problems)
        : EndpointDecoder.isField(p.get(name), p.at(name), path(p, name), problems);
  }

  private static boolean isValue(DecodedMembers p, Key<String> value, boolean cookie, Problems problems) {
    boolean good = Grammar.isFieldValue(p.get(value))
        && !(cookie && p.get(value).chars().anyMatch(c -> c == ';' || c == ','));
    if (!good) {
      problems.error(p.at(value), path(p, value), "the key has characters that are not allowed there", "");
    }
    return good;
  }

  private static String path(DecodedMembers p, Key<?> key) {
    return p.node().get(key.name()).map(Node::path).orElse(p.node().path());
  }

  private static Decoder<Credentials.Signed> signed() {
    return MessageSignerDecoder.decoder().then((signer, _, _) -> Optional.of(new Credentials.Signed(signer)));
  }

  private static Decoder<Credentials.Token> token() {
    Key<Optional<ClientCredentialsDecoder.Header>> header = Key.optional("header", ClientCredentialsDecoder.header(),
        "the header field for the token; by default `Authorization: Bearer`");
    return ClientCredentialsDecoder.with(List.of(header), (source, parts) -> new Credentials.Token(source,
        parts.get(header).map(ClientCredentialsDecoder.Header::name).orElse("Authorization"),
        parts.get(header).flatMap(ClientCredentialsDecoder.Header::scheme)));
  }
}
