package portcullis.policy.endpoint;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.inputs.HiddenInputs;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.policy.cache.CacheKey;

/**
 * Signs calls (RFC 9421). The key is read for each call, so that a renewed one is used at once.
 *
 * @param keyId empty for the first key of the store
 * @param ttl how long a signature is valid; zero for no end
 */
public record MessageSigner(String tag, Store store, Optional<String> keyId, List<SignatureComponent> components,
    Duration ttl,
    String label) {
  private static final int NONCE_BYTES = 16;
  private static final SignatureComponent DIGEST = new SignatureComponent("content-digest", false, "");

  /** The key store. */
  public record Store(LocatedText path, String password) {
    /** Returns a description without the password. */
    @Override
    public String toString() {
      return path.text();
    }
  }

  void sign(HttpCall call, EndpointClient caller) throws CallFailure {
    try {
      KeyEntry key = key(caller.keys());
      if (components.contains(DIGEST)) {
        call.set("Content-Digest",
            "sha-256=" + digest("SHA-256", call.body()) + ", sha-512=" + digest("SHA-512", call.body()));
      }
      String parameters = parameters(key, caller.clock());
      byte[] signature = key.algorithm().sign(key.privateKey(), new SignatureBase(call).of(components, parameters));
      call.set("Signature-Input", label + "=" + parameters);
      call.set("Signature", label + "=" + StructuredFields.binary(signature));
    } catch (KeyMaterialException e) {
      throw new CallFailure.Unauthenticated("failed to sign the call: " + e.getMessage(), false);
    }
  }

  private KeyEntry key(KeyRings keys) throws KeyMaterialException {
    KeyRing ring = keys.signing(Path.of(store.path.text()), store.password, keyId, Optional.empty()).get();
    KeyEntry key = keyId.isPresent() ? ring.entry(keyId.get()) : ring.first();
    key.requireForSigning();
    if (!StructuredFields.isString(key.id())) {
      throw new KeyMaterialException("key id `" + key.id() + "` holds characters that cannot be sent");
    }
    return key;
  }

  /** {@code "(" components ")" parameters} (RFC 9421, 2.3). */
  private String parameters(KeyEntry key, InstantSource clock) {
    long created = clock.instant().getEpochSecond();
    byte[] nonce = HiddenInputs.bytes(NONCE_BYTES);
    return components.stream().map(SignatureComponent::identifier).collect(Collectors.joining(" ", "(", ")"))
        + ";created=" + created
        + (ttl.toSeconds() == 0 ? "" : ";expires=" + (created + ttl.toSeconds()))
        + ";keyid=" + StructuredFields.string(key.id())
        + ";alg=" + StructuredFields.string(name(key.algorithm()))
        + ";nonce=" + StructuredFields.string(Base64.getUrlEncoder().withoutPadding().encodeToString(nonce))
        + ";tag=" + StructuredFields.string(tag);
  }

  /** Returns the algorithm names of RFC 9421, 6.2, and those of heimdall for the others. */
  static String name(Algorithm algorithm) {
    return switch (algorithm) {
      case ES256 -> "ecdsa-p256-sha256";
      case ES384 -> "ecdsa-p384-sha384";
      case ES512 -> "ecdsa-p521-sha512";
      case EDDSA -> "ed25519";
      case PS256 -> "rsa-pss-sha256";
      case PS384 -> "rsa-pss-sha384";
      case PS512 -> "rsa-pss-sha512";
      case RS256 -> "rsa-v1_5-sha256";
      case RS384 -> "rsa-v1_5-sha384";
      case RS512 -> "rsa-v1_5-sha512";
      case HS256 -> "hmac-sha256";
      case HS384 -> "hmac-sha384";
      case HS512 -> "hmac-sha512";
    };
  }

  private static String digest(String algorithm, byte[] body) {
    try {
      return StructuredFields.binary(MessageDigest.getInstance(algorithm).digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-2", e);
    }
  }

  /** Returns whether the key exists and can sign; adds a problem if not. */
  boolean hasKey(Problems problems) {
    LocatedText path = store.path;
    try {
      key(new KeyRings(InstantSource.system()));
      return true;
    } catch (KeyMaterialException e) {
      KeyMaterialException.report(e, path, problems);
      return false;
    } catch (InvalidPathException _) {
      problems.error(path.at(0, path.text().length()), path.path(), "invalid file path", "");
      return false;
    }
  }

  /**
   * Makes the client watch the key store; a store that has disappeared since it was checked is reported by the calls.
   */
  void useKeys(EndpointClient caller) {
    try {
      key(caller.keys());
    } catch (KeyMaterialException _) {
      // reported by each call that is signed
    }
  }

  /** Returns a hash of the current key; without the key, calls fail anyway. */
  private String fingerprint(EndpointClient caller) {
    try {
      return key(caller.keys()).fingerprint();
    } catch (KeyMaterialException _) {
      return "";
    }
  }

  String identity(EndpointClient caller) {
    List<String> parts = new ArrayList<>(
        List.of(tag, store.path.text(), keyId.orElse(""), fingerprint(caller), ttl.toString(), label));
    components.forEach(c -> parts.add(c.identifier()));
    return CacheKey.of("signature", parts).hash();
  }
}
