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

/** Reads how calls are authenticated: {@code type} and what belongs to it. */
final class CredentialsDecoder {
  private static final Map<String, Decoder<? extends Credentials>> TYPES = Map.of("basic_auth", basic(), "api_key", key(),
      "oauth2_client_credentials", token());

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
    SequencedMap<String, Credentials.ApiKey.Place> places = new LinkedHashMap<>();
    places.put("header", Credentials.ApiKey.Place.HEADER);
    places.put("cookie", Credentials.ApiKey.Place.COOKIE);
    places.put("query", Credentials.ApiKey.Place.QUERY);
    Key<Credentials.ApiKey.Place> in = Key.required("in", Decoders.choice(places), "where the key is put");
    Key<String> name = Key.required("name", Decoders.nonEmpty(), "the name of the field, cookie or parameter");
    Key<String> value = Key.required("value", Decoders.nonEmpty(), "the key");
    return Decoders.object("settings", List.of(in, name, value),
        parts -> new Credentials.ApiKey(parts.get(in), parts.get(name), parts.get(value)));
  }

  private static Decoder<Credentials.Token> token() {
    Key<Optional<ClientCredentialsDecoder.Header>> header =
        Key.optional("header", ClientCredentialsDecoder.header(), "where the token is put");
    return ClientCredentialsDecoder.with(List.of(header), (source, parts) -> new Credentials.Token(source,
        parts.get(header).map(ClientCredentialsDecoder.Header::name).orElse("Authorization"),
        parts.get(header).flatMap(ClientCredentialsDecoder.Header::scheme)));
  }
}
