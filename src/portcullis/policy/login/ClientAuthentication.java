package portcullis.policy.login;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.jwt.TokenSigner;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyPairAlgorithms;
import portcullis.crypto.keys.KeyRing;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/** How a client authenticates at its provider (OpenID Connect Core 1.0, 9; RFC 8705, 2). */
sealed interface ClientAuthentication {
  /** Returns whether it can be used; adds problems if not. */
  default boolean usable(MechanismContext context, Problems problems) {
    return true;
  }

  /** Adds what authenticates the client to the form or the header fields of a request. */
  void apply(ProviderSettings provider, EndpointRequest request, Map<String, String> form, MechanismContext context)
      throws Failure;

  /** A secret. */
  record Secret(String secret, boolean inBody) implements ClientAuthentication {
    @Override
    public void apply(ProviderSettings provider, EndpointRequest request, Map<String, String> form,
        MechanismContext context) {
      if (inBody) {
        form.put("client_id", provider.clientId());
        form.put("client_secret", secret);
        return;
      }
      String pair = encoded(provider.clientId()) + ":" + encoded(secret);
      request.defaultHeader("Authorization",
          "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    private static String encoded(String text) {
      return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return "a secret";
    }
  }

  /** A token that the client signs for each call (RFC 7523, 2.2). */
  record PrivateKey(LocatedText path, String password, Optional<String> keyId, Optional<Algorithm> algorithm)
      implements ClientAuthentication {
    private static final Duration LIFE = Duration.ofMinutes(1);

    @Override
    public boolean usable(MechanismContext context, Problems problems) {
      try {
        signer(context, "");
        context.keys().signing(Path.of(path.text()), password, keyId, algorithm);
        return true;
      } catch (KeyMaterialException | InvalidPathException e) {
        KeyMaterialException.report(e, path, problems);
        return false;
      }
    }

    private TokenSigner signer(MechanismContext context, String client) throws KeyMaterialException {
      Supplier<KeyRing> ring = context.keys().ring(Path.of(path.text()), password, keyId);
      KeyEntry key = keyId.isPresent() ? ring.get().entry(keyId.get()) : ring.get().first();
      return TokenSigner.of(key, algorithm.orElse(key.algorithm()), client);
    }

    @Override
    public void apply(ProviderSettings provider, EndpointRequest request, Map<String, String> form,
        MechanismContext context) throws Failure {
      try {
        Value.Dict claims = new Value.Dict(Map.of("aud", Value.of(provider.issuer().text())));
        form.put("client_id", provider.clientId());
        form.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        form.put("client_assertion", signer(context, provider.clientId()).sign(claims, provider.clientId(),
            context.clock().instant(), LIFE));
      } catch (KeyMaterialException e) {
        throw new Failure.Internal("the client cannot sign its assertion", e.getMessage());
      }
    }

    /** Without the password. */
    @Override
    public String toString() {
      return "the key of " + path.text();
    }
  }

  /** The certificate of the TLS settings. */
  record Tls() implements ClientAuthentication {
    @Override
    public void apply(ProviderSettings provider, EndpointRequest request, Map<String, String> form,
        MechanismContext context) {
      form.put("client_id", provider.clientId());
    }
  }

  /** None: the client is public, and PKCE alone binds the code. */
  record None() implements ClientAuthentication {
    @Override
    public void apply(ProviderSettings provider, EndpointRequest request, Map<String, String> form,
        MechanismContext context) {
      form.put("client_id", provider.clientId());
    }
  }

  /** The methods by their registered names. */
  enum Method {
    CLIENT_SECRET_BASIC, CLIENT_SECRET_POST, PRIVATE_KEY_JWT, TLS_CLIENT_AUTH, NONE;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Decoder<ClientAuthentication> decoder() {
    SequencedMap<String, Method> methods = new LinkedHashMap<>();
    for (Method method : Method.values()) {
      methods.put(method.text(), method);
    }
    Key<Method> method = Key.withDefault("method", Decoders.choice(methods), Method.CLIENT_SECRET_BASIC,
        "the registered method of the client");
    Key<Optional<String>> secret = Key.optional("client_secret", secret(), "the secret");
    Key<LocatedText> path = Key.required("path", Decoders.located(), "the PEM file with the private key");
    Key<String> password = Key.withDefault("password", Decoders.text(), "", "the password of an encrypted key");
    Key<Optional<String>> id = Key.optional("key_id", Decoders.nonEmpty(), "the id of the key; by default the first");
    Key<Optional<Algorithm>> algorithm = Key.optional("algorithm", KeyPairAlgorithms.decoder(),
        "the signature algorithm of assertions; by default that of the key's type and size");
    Key<Optional<PrivateKey>> store = Key.optional("key_store", Decoders.object("a key store",
        List.of(path, password, id, algorithm),
        p -> new PrivateKey(p.get(path), p.get(password), p.get(id), p.get(algorithm))), "the key of the client");
    return Decoders.checked("client authentication", List.of(method, secret, store), (p, problems) -> {
      Method chosen = p.get(method);
      boolean hasSecret = chosen == Method.CLIENT_SECRET_BASIC || chosen == Method.CLIENT_SECRET_POST;
      if (!hasSecret && isUnused(p, secret, chosen, problems)
          || chosen != Method.PRIVATE_KEY_JWT && isUnused(p, store, chosen, problems)) {
        return Optional.empty();
      }
      Optional<ClientAuthentication> out = switch (chosen) {
        case CLIENT_SECRET_BASIC -> needed(p, secret, chosen, problems).map(text -> new Secret(text, false));
        case CLIENT_SECRET_POST -> needed(p, secret, chosen, problems).map(text -> new Secret(text, true));
        case PRIVATE_KEY_JWT -> needed(p, store, chosen, problems).map(key -> key);
        case TLS_CLIENT_AUTH -> Optional.of(new Tls());
        case NONE -> Optional.of(new None());
      };
      return out;
    });
  }

  private static Decoder<String> secret() {
    return Decoders.secret().then((text, node, problems) -> {
      if (text.isBlank()) {
        problems.error(node.at(), node.path(), "must not be empty", "a client without secret has method: none");
        return Optional.empty();
      }
      return Optional.of(text);
    });
  }

  /** Returns whether a setting is there that the method does not use; adds a problem if so. */
  private static boolean isUnused(DecodedMembers p, Key<?> key, Method method, Problems problems) {
    if (p.has(key)) {
      problems.error(p.at(key), p.node().path(), "method `" + method.text() + "` has no `" + key.name() + "`",
          "remove it, or set the `method` that it is for");
      return true;
    }
    return false;
  }

  private static <T> Optional<T> needed(DecodedMembers p, Key<Optional<T>> key, Method method, Problems problems) {
    if (p.get(key).isEmpty()) {
      problems.error(p.node().at(), p.node().path(), "`" + key.name() + "` is missing", "method `" + method.text()
          + "` needs it");
    }
    return p.get(key);
  }
}
