package portcullis.verify;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PlainValues;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/**
 * JSON Web Tokens for cases, signed with ES256 by a key of this run. {@code <token:NAME>} in a case stands for a token,
 * {@code <jwks>} for the key set that verifies it.
 */
final class TestTokens {
  private static final String KEY_ID = "test";
  private static final Duration LIFETIME = Duration.ofHours(1);
  private static final int COORDINATE = 32;

  private final KeyPair known = pair();
  private final KeyPair unknown = pair();

  /**
   * A token as it is written.
   *
   * @param trusted whether it is signed by the key of {@code <jwks>}
   */
  record Draft(SequencedMap<String, Value> headers, SequencedMap<String, Value> claims, boolean trusted) {
    static Decoder<Draft> decoder() {
      Key<SequencedMap<String, Value>> headers = Key.withDefault("headers", Decoders.map(PlainValues.decoder()),
          new LinkedHashMap<>(), "members of the header beside `alg` and `kid`");
      Key<SequencedMap<String, Value>> claims = Key.required("claims", Decoders.map(PlainValues.decoder()),
          "claims; `iat` is the time of the case and `exp` an hour later where they are not written");
      Key<Boolean> trusted = Key.withDefault("trusted", Decoders.flag(), true, "whether `<jwks>` has its key");
      return Decoders.object("a token", List.of(headers, claims, trusted),
          p -> new Draft(p.get(headers), p.get(claims), p.get(trusted)));
    }
  }

  private static KeyPair pair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  /** Returns what stands for {@code <jwks>} and for each {@code <token:NAME>}. */
  Map<String, String> texts(Map<String, Draft> drafts, Optional<Instant> now) {
    Map<String, String> out = new LinkedHashMap<>();
    out.put("jwks", jwks());
    drafts.forEach((name, draft) -> out.put("token:" + name, token(draft, now.orElseGet(Instant::now))));
    return out;
  }

  private String jwks() {
    ECPublicKey key = (ECPublicKey) known.getPublic();
    Map<String, Value> jwk = new LinkedHashMap<>();
    jwk.put("kty", Value.of("EC"));
    jwk.put("crv", Value.of("P-256"));
    jwk.put("kid", Value.of(KEY_ID));
    jwk.put("alg", Value.of("ES256"));
    jwk.put("use", Value.of("sig"));
    jwk.put("x", Value.of(base64(coordinate(key.getW().getAffineX().toByteArray()))));
    jwk.put("y", Value.of(base64(coordinate(key.getW().getAffineY().toByteArray()))));
    return JsonText.plain(Value.dict("keys", Value.of(new Value.Dict(jwk))));
  }

  /** In as many bytes as the curve has (RFC 7518, 6.2.1.2). */
  private static byte[] coordinate(byte[] number) {
    byte[] out = new byte[COORDINATE];
    int length = Math.min(number.length, COORDINATE);
    System.arraycopy(number, number.length - length, out, COORDINATE - length, length);
    return out;
  }

  private String token(Draft draft, Instant now) {
    Map<String, Value> header = new LinkedHashMap<>();
    header.put("alg", Value.of("ES256"));
    header.put("kid", Value.of(KEY_ID));
    header.putAll(draft.headers());
    Map<String, Value> claims = new LinkedHashMap<>();
    claims.put("iat", Value.of(now.getEpochSecond()));
    claims.put("exp", Value.of(now.plus(LIFETIME).getEpochSecond()));
    claims.putAll(draft.claims());
    claims.values().removeIf(Value.NULL::equals);
    String signed = base64(bytes(header)) + "." + base64(bytes(claims));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign((draft.trusted() ? known : unknown).getPrivate());
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has ES256", e);
    }
  }

  private static byte[] bytes(Map<String, Value> members) {
    return JsonText.plain(new Value.Dict(members)).getBytes(StandardCharsets.UTF_8);
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns the node with what stands for tokens filled in. */
  static Node filled(Node node, Map<String, String> texts) {
    return switch (node) {
      case Node.Scalar scalar -> {
        String text = scalar.text();
        for (Map.Entry<String, String> one : texts.entrySet()) {
          text = text.replace("<" + one.getKey() + ">", one.getValue());
        }
        yield text.equals(scalar.text()) ? scalar
            : new Node.Scalar(new CaseTable.Substituted(text, scalar), scalar.where(), scalar.meaning());
      }
      case Node.Sequence list -> new Node.Sequence(list.at(), list.where(),
          list.items().stream().map(item -> filled(item, texts)).toList());
      case Node.Mapping mapping -> {
        LinkedHashMap<String, Node.Member> members = new LinkedHashMap<>();
        mapping.members().forEach((name, member) -> members.put(name,
            new Node.Member(member.nameAt(), filled(member.value(), texts))));
        yield new Node.Mapping(mapping.at(), mapping.where(), members);
      }
    };
  }
}
