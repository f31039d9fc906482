package portcullis.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.endpoint.Credentials.ApiKey.Place;
import portcullis.message.Grammar;
import portcullis.source.Origin;
import portcullis.source.Problems;

/** Reads how calls are authenticated: {@code type} and what belongs to it. */
final class CredentialsDecoder {
  private static final Map<String, Decoder<? extends Credentials>> TYPES = Map.of("basic_auth", basic(), "api_key", key(),
      "oauth2_client_credentials", token(), "http_message_signatures", signed());

  private CredentialsDecoder() {}

  static Decoder<Credentials> decoder() {
    Key<String> type = Key.required("type", Decoders.oneOf(TYPES.keySet().stream().sorted().toArray(String[]::new)), "the strategy");
    Key<Node> config = Key.required("config", Decoders.node(), "its settings");
    return Decoders.checked("credentials", List.of(type, config), (parts, problems) ->
        TYPES.get(parts.get(type)).decode(parts.get(config), problems).map(Credentials.class::cast));
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
    Key<Place> in = Key.required("in", Decoders.choice(places), "where the key is put");
    Key<String> name = Key.required("name", Decoders.nonEmpty(), "the name of the field, cookie or parameter");
    Key<String> value = Key.required("value", Decoders.nonEmpty(), "the key");
    return Decoders.checked("settings", List.of(in, name, value), (p, problems) ->
        fits(p.get(in), p.get(name), p.at(name), p.get(value), p.at(value), problems)
            ? Optional.of(new Credentials.ApiKey(p.get(in), p.get(name), p.get(value))) : Optional.empty());
  }

  /** Whether both can stand there as they are; in a query everything can. */
  private static boolean fits(Place in, String name, Origin nameAt, String value, Origin valueAt, Problems problems) {
    return switch (in) {
      case QUERY -> true;
      case HEADER -> EndpointDecoder.isField(name, nameAt, "", problems) & isValue(Grammar.isFieldValue(value), valueAt, problems);
      case COOKIE -> EndpointDecoder.isToken(name, nameAt, "", problems)
          & isValue(Grammar.isFieldValue(value) && value.chars().noneMatch(c -> c == ';' || c == ','), valueAt, problems);
    };
  }

  private static boolean isValue(boolean good, Origin at, Problems problems) {
    if (!good) {
      problems.error(at, "", "the key holds characters that cannot stand there", "");
    }
    return good;
  }

  private static Decoder<Credentials.Signed> signed() {
    return MessageSignerDecoder.decoder().then((signer, _, _) -> Optional.of(new Credentials.Signed(signer)));
  }

  private static Decoder<Credentials.Token> token() {
    Key<Optional<ClientCredentialsDecoder.Header>> header =
        Key.optional("header", ClientCredentialsDecoder.header(), "where the token is put");
    return ClientCredentialsDecoder.with(List.of(header), (source, parts) -> new Credentials.Token(source,
        parts.get(header).map(ClientCredentialsDecoder.Header::name).orElse("Authorization"),
        parts.get(header).flatMap(ClientCredentialsDecoder.Header::scheme)));
  }
}
