package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.JwkSet;
import portcullis.fixture.TestKeys;

/** Which keys stay usable after they are no longer published. */
class KnownKeysTest {
  private static final PublicKey KEY = TestKeys.ec(256).getPublic();
  private static final Instant BEGIN = Instant.parse("2026-11-25T12:00:00Z");
  private static final Duration LIFE = Duration.ofHours(1);

  /** An empty id stands for none. */
  private static KnownKeys published(int minute, String... ids) {
    List<Jwk> keys = List.of(ids).stream()
        .map(id -> new Jwk(Optional.of(id).filter(text -> !text.isEmpty()), Optional.of(Algorithm.ES256), KEY,
            List.of()))
        .toList();
    Instant at = BEGIN.plus(Duration.ofMinutes(minute));
    return KnownKeys.of(new JwkSet(keys, List.of()), at, at);
  }

  private static List<String> usable(KnownKeys known, int minute) {
    return known.usable(BEGIN.plus(Duration.ofMinutes(minute)), LIFE).keys().stream()
        .map(key -> key.keyId().orElse("-")).toList();
  }

  @Test
  void aWithdrawnKeyIsUsableForTheRestOfItsLife() {
    KnownKeys known = published(0, "old", "kept", "").followedBy(published(10, "kept", "new"));
    assertEquals(List.of("kept", "new", "old"), usable(known, 59));
    assertEquals(List.of("kept", "new"), usable(known, 60));
    assertTrue(known.has("old") && known.has("new") && !known.has("none"));
  }

  @Test
  void aKeyThatIsPublishedAgainIsKnownOnce() {
    KnownKeys known = published(0, "a").followedBy(published(1, "b")).followedBy(published(2, "a"));
    assertEquals(List.of("a", "b"), usable(known, 30));
    assertEquals(List.of(), usable(published(0, "").followedBy(published(1)), 30), "without an id none is");
  }

  @Test
  void theYoungestThousandOfWithdrawnKeysAreKnown() {
    String[] many = IntStream.range(0, 1000).mapToObj(i -> "k" + i).toArray(String[]::new);
    KnownKeys all = published(0, many).followedBy(published(1));
    assertEquals(1000, usable(all, 30).size());
    KnownKeys more = published(0, "oldest").followedBy(published(1, many)).followedBy(published(2));
    assertEquals(1000, usable(more, 30).size());
    assertFalse(more.has("oldest"));
    assertTrue(more.has("k999"));
  }
}
