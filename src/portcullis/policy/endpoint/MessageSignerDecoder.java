package portcullis.policy.endpoint;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.source.LocatedText;

/** Reads how calls are signed. */
final class MessageSignerDecoder {
  private static final String EXAMPLES = "as `@method`, `@target-uri`, `content-digest`, `@query-param;name=\"id\"`";

  /** Who signs, and with which key. */
  private record Signer(String name, MessageSigner.Store store, Optional<String> keyId) {}

  private MessageSignerDecoder() {}

  static Decoder<MessageSigner> decoder() {
    Key<Signer> signer = Key.required("signer", signer(), "the signer");
    Key<List<SignatureComponent>> components = Key.required("components", components(),
        "the signed components of a request, " + EXAMPLES);
    Key<Duration> ttl = Key.withDefault("ttl", Decoders.duration(), Duration.ofMinutes(1), "how long a signature is "
        + "valid");
    Key<String> label = Key.withDefault("label", label(), "sig", "the signature's name");
    return Decoders.object("settings", List.of(signer, components, ttl, label),
        p -> new MessageSigner(p.get(signer).name,
            p.get(signer).store, p.get(signer).keyId, p.get(components), p.get(ttl), p.get(label)));
  }

  private static Decoder<Signer> signer() {
    Key<LocatedText> path = Key.required("path", Decoders.located(), "the PEM file with the private key");
    Key<String> password = Key.withDefault("password", Decoders.text(), "", "the password of an encrypted key");
    Key<MessageSigner.Store> store = Key.required("key_store", Decoders.object("a key store", List.of(path, password),
        p -> new MessageSigner.Store(p.get(path), p.get(password))), "the file with the key");
    Key<String> name = Key.withDefault("name", name(), "heimdall", "the name of the signer, in the signature's `tag`");
    Key<Optional<String>> id = Key.optional("key_id", Decoders.nonEmpty(), "the id of the key; by default the first");
    return Decoders.object("a signer", List.of(name, store, id), p -> new Signer(p.get(name), p.get(store), p.get(id)));
  }

  private static Decoder<String> name() {
    return text(StructuredFields::isString, "holds characters that cannot be sent",
        "ASCII, without control characters");
  }

  private static Decoder<String> label() {
    return text(StructuredFields::isKey, "is not a valid label", "lower-case letters, digits and _-.*");
  }

  private static Decoder<String> text(Predicate<String> good, String wrong, String hint) {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      if (!good.test(text)) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` " + wrong, hint);
        return Optional.empty();
      }
      return Optional.of(text);
    });
  }

  private static Decoder<List<SignatureComponent>> components() {
    Decoder<SignatureComponent> one = Decoders.nonEmpty().then((text, node, problems) -> {
      Optional<SignatureComponent> component = SignatureComponent.parse(text);
      if (component.isEmpty()) {
        problems.error(node.at(), node.path(), "unsupported component `" + Decoders.shortened(text) + "`", EXAMPLES);
      }
      return component;
    });
    return Decoders.list(one, 1).then((list, node, problems) -> {
      if (new HashSet<>(list).size() < list.size()) {
        problems.error(node.at(), node.path(), "each component may be named once", "");
        return Optional.empty();
      }
      return Optional.of(list);
    });
  }
}
