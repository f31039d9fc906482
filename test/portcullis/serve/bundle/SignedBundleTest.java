package portcullis.serve.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which bundles are accepted, and why others are not. */
final class SignedBundleTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

  @TempDir
  private Path folder;
  private KnownCounters counters = new KnownCounters();
  private KeyPair ann;
  private KeyPair bob;
  private KeyPair eve;

  @BeforeEach
  void keys() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
    ann = generator.generateKeyPair();
    bob = generator.generateKeyPair();
    eve = generator.generateKeyPair();
    publish("ann.pem", ann);
    publish("bob.pem", bob);
  }

  private void publish(String name, KeyPair pair) throws Exception {
    Files.writeString(folder.resolve(name), "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getEncoder().encodeToString(pair.getPublic().getEncoded()) + "\n-----END PUBLIC KEY-----\n");
  }

  private SignatureRequirement required(int threshold, boolean rollback) {
    return required(threshold, rollback, "state");
  }

  private SignatureRequirement required(int threshold, boolean rollback, String state) {
    return new SignatureRequirement(List.of(folder.resolve("ann.pem").toString(), folder.resolve("bob.pem").toString()),
        threshold, folder.resolve(state).toString(), rollback);
  }

  private static Bundle bundle(long counter, String from, String to, String minimum) {
    return new Bundle(counter, Instant.parse(from), Instant.parse(to), Optional.of(minimum), Optional.empty(),
        Optional.of(new Bundle.Tests(3, 0)), new LinkedHashMap<>(Map.of("a.yaml", "version: 1alpha4\nrules: []\n")));
  }

  private static Bundle bundle(long counter) {
    return bundle(counter, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z", "0.1.0");
  }

  private static String signed(Bundle bundle, KeyPair... pairs) throws BundleException {
    SignedBundle out = SignedBundle.of(bundle);
    for (KeyPair pair : pairs) {
      out = out.signedBy(pair.getPrivate(), pair.getPublic());
    }
    return out.text();
  }

  private String refusal(String text) {
    return refusal(text, required(2, false));
  }

  private String refusal(String text, SignatureRequirement requirement) {
    return assertThrows(BundleException.class, () -> requirement.accept(text, NOW, "0.1.0", counters)).getMessage();
  }

  @Test
  void acceptsBundleThatEnoughKeysSigned() throws Exception {
    SignatureRequirement.Accepted accepted = required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0",
        counters);
    assertEquals(bundle(7), accepted.bundle());
    assertEquals(List.of("x.bundle!a.yaml"),
        accepted.bundle().ruleSets("x.bundle").stream().map(f -> f.name()).toList());
  }

  @Test
  void refusesTooFewWrongAndRepeatedKeys() throws Exception {
    assertEquals("too few signatures: 1 of the configured keys have signed it, 2 are required",
        refusal(signed(bundle(7), ann)));
    String unknown = refusal(signed(bundle(7), ann, eve));
    assertTrue(
        unknown.matches("too few signatures: 1 of the configured keys have signed it, 2 are required; keys that are "
            + "not configured: [0-9a-f]{16}"),
        unknown);
    assertTrue(refusal(signed(bundle(7), ann, ann)).startsWith("too few signatures: 1 of"));
    assertTrue(refusal(signed(bundle(7))).startsWith("too few signatures: 0 of"));
  }

  @Test
  void refusesAStateFileThatEverybodyMayWrite() throws Exception {
    required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters).record();
    Path state = Path.of(required(2, false).state());
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertTrue(refusal(signed(bundle(8), ann, bob)).contains("can be written by every user of the machine"));
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rw-rw-r--"));
    required(2, false).accept(signed(bundle(8), ann, bob), NOW, "0.1.0", counters);
  }

  @Test
  void refusesAFolderWhereEverybodyMayReplaceTheState() throws Exception {
    SignatureRequirement requirement = required(2, false, "var/state");
    Path var = Files.createDirectory(folder.resolve("var"));
    Files.setPosixFilePermissions(var, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertEquals("`" + var + "`, the folder of the state file, can be written by every user of the machine, who "
        + "could bring back an older bundle; `chmod o-w` it, and make sure that the counter is right",
        refusal(signed(bundle(7), ann, bob), requirement));
    assertTrue(Files.notExists(var.resolve("state")));
    Files.setAttribute(var, "unix:mode", 01777);
    requirement.accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters);
    Files.setAttribute(var, "unix:mode", 0775);
    requirement.accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters);
  }

  @Test
  void refusesKeysInAFolderWhereEverybodyMayReplaceThem() throws Exception {
    Files.setAttribute(folder, "unix:mode", 0777);
    assertEquals("everybody may replace the key file `" + folder.resolve("ann.pem") + "` in `" + folder
        + "`; `chmod o-w` that folder, and make sure that the key is right", refusal(signed(bundle(7), ann, bob)));
    Files.setAttribute(folder, "unix:mode", 01777);
    required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters);
    Files.setAttribute(folder, "unix:mode", 0775);
    required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters);
  }

  @Test
  void saysWhereNoCounterWasRecordedBefore() throws Exception {
    SignatureRequirement.Accepted first = required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0",
        counters);
    assertTrue(first.record());
    assertFalse(first.record());
    assertFalse(required(2, false).accept(signed(bundle(8), ann, bob), NOW, "0.1.0", counters).record());
    Files.delete(Path.of(required(2, false).state()));
    assertTrue(required(2, false).accept(signed(bundle(6), ann, bob), NOW, "0.1.0", new KnownCounters()).record(),
        "as after a restart");
  }

  @Test
  void aCounterHoldsWhereItsFileIsRemoved() throws Exception {
    Path state = Path.of(required(2, false).state());
    required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0", new KnownCounters()).record();
    assertEquals(Optional.empty(), required(2, false).lostCounter(counters));
    required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters);
    assertEquals(Optional.empty(), required(2, false).lostCounter(counters));
    Files.delete(state);
    assertEquals(Optional.of(7L), required(2, false).lostCounter(counters), "it was read");
    assertEquals(Optional.empty(), required(2, false).lostCounter(counters), "once");
    assertTrue(refusal(signed(bundle(6), ann, bob)).startsWith("its counter 6 is lower than 7"));
    assertFalse(required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters).record());
    assertTrue(Files.readString(state).startsWith("7 "), "it is written again");
    required(2, false).accept(signed(bundle(8), ann, bob), NOW, "0.1.0", counters).record();
    Files.delete(state);
    assertTrue(refusal(signed(bundle(7), ann, bob)).startsWith("its counter 7 is lower than 8"), "it was recorded");
    assertEquals(Optional.of(8L), required(2, false).lostCounter(counters));
  }

  @Test
  void aCounterHoldsWhereAnOlderFileIsPutInPlace() throws Exception {
    Path state = Path.of(required(2, false).state());
    required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters).record();
    String older = Files.readString(state);
    required(2, false).accept(signed(bundle(8), ann, bob), NOW, "0.1.0", counters).record();
    Files.writeString(state, older);
    assertEquals(Optional.of(8L), required(2, false).lostCounter(counters));
    assertEquals(Optional.empty(), required(2, false).lostCounter(counters), "once");
    assertTrue(refusal(signed(bundle(7), ann, bob)).startsWith("its counter 7 is lower than 8"));
    assertFalse(required(2, false).accept(signed(bundle(8), ann, bob), NOW, "0.1.0", counters).record());
    assertTrue(Files.readString(state).startsWith("8 "), "it is written again");
    Files.writeString(state, older);
    assertEquals(Optional.of(8L), required(2, false).lostCounter(counters), "again");
    Files.writeString(state, older.replace("7 ", "9 "));
    assertEquals(Optional.empty(), required(2, false).lostCounter(counters));
    assertTrue(refusal(signed(bundle(8), ann, bob)).startsWith("its counter 8 is lower than 9"), "another instance");
  }

  @Test
  void aRollbackIsAllowedForTheFirstBundleAfterAStart() throws Exception {
    required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters).record();
    KnownCounters started = new KnownCounters();
    SignatureRequirement allowed = required(2, true);
    assertEquals(Optional.of(7L),
        allowed.accept(signed(bundle(6), ann, bob), NOW, "0.1.0", started).rolledBackFrom());
    allowed.accept(signed(bundle(6), ann, bob), NOW, "0.1.0", started).record();
    assertEquals(
        "its counter 5 is lower than 6, that of the bundle applied last (`--allow-rollback` permits it for the "
            + "first bundle after a start)",
        assertThrows(BundleException.class,
            () -> allowed.accept(signed(bundle(5), ann, bob), NOW, "0.1.0", started)).getMessage());
    KnownCounters again = new KnownCounters();
    allowed.accept(signed(bundle(6), ann, bob), NOW, "0.1.0", again).record();
    assertThrows(BundleException.class, () -> allowed.accept(signed(bundle(5), ann, bob), NOW, "0.1.0", again),
        "the first one was that of before");
  }

  @Test
  void theKnownCountersAreBounded() throws Exception {
    for (int i = 0; i <= 100; i++) {
      CounterFile file = new CounterFile(folder.resolve("state" + i));
      counters.write(file, new CounterFile.Entry(7, "0".repeat(64)));
      Files.delete(file.path());
    }
    assertEquals(Optional.empty(), counters.last(new CounterFile(folder.resolve("state0"))));
    for (int i = 1; i <= 100; i++) {
      assertTrue(counters.last(new CounterFile(folder.resolve("x/../state" + i))).isPresent());
    }
  }

  @Test
  void theHighestCounterIsOneThatTheStateFileCanHave() throws Exception {
    long highest = 999_999_999_999_999_999L;
    required(2, false).accept(signed(bundle(highest), ann, bob), NOW, "0.1.0", counters).record();
    assertTrue(refusal(signed(bundle(8), ann, bob)).startsWith("its counter 8 is lower than " + highest));
    BundleException refused = assertThrows(BundleException.class, () -> bundle(highest + 1).validated());
    assertEquals("its counter is not a number from 1 to " + highest, refused.getMessage());
  }

  @Test
  void refusesEachFlippedByte() throws Exception {
    byte[] good = signed(bundle(7), ann, bob).getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      refusal(new String(bad, StandardCharsets.ISO_8859_1));
    }
    required(2, false).accept(new String(good, StandardCharsets.ISO_8859_1), NOW, "0.1.0", counters);
  }

  @Test
  void refusesChangedContentWithSignaturesOfTheOriginal() throws Exception {
    String good = signed(bundle(7), ann, bob);
    String other = signed(bundle(8), ann, bob);
    String mixed = other.substring(0, other.indexOf("\"signatures\"")) + good.substring(good.indexOf("\"signatures\""));
    assertTrue(refusal(mixed).endsWith("is invalid: the bundle was changed"), refusal(mixed));
  }

  @Test
  void refusesExpiredAndNotYetValid() throws Exception {
    assertEquals("it has expired: it was valid until 2026-06-01T00:00:00Z",
        refusal(signed(bundle(7, "2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z", "0.1.0"), ann, bob)));
    assertEquals("it is not valid before 2026-06-01T00:00:01Z",
        refusal(signed(bundle(7, "2026-06-01T00:00:01Z", "2027-06-01T00:00:00Z", "0.1.0"), ann, bob)));
    required(2, false).accept(signed(bundle(7, "2026-06-01T00:00:00Z", "2026-06-01T00:00:01Z", "0.1"), ann, bob), NOW,
        "0.1.0", counters);
  }

  @Test
  void refusesBundleForNewerProgram() throws Exception {
    String text = signed(bundle(7, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z", "0.10"), ann, bob);
    assertEquals("it needs version 0.10, this is 0.1.0", refusal(text));
    required(2, false).accept(text, NOW, "0.10.0", counters);
    required(2, false).accept(text, NOW, "1.0-rc1", counters);
  }

  @Test
  void refusesLowerCounterUnlessRollbackIsAllowed() throws Exception {
    required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters).record();
    required(2, false).accept(signed(bundle(7), ann, bob), NOW, "0.1.0", counters);
    assertEquals("its counter 6 is lower than 7, that of the bundle applied last (`--allow-rollback` permits it)",
        refusal(signed(bundle(6), ann, bob)));
    assertEquals("its counter 7 is that of another bundle, which was applied before",
        refusal(signed(bundle(7, "2026-01-02T00:00:00Z", "2027-01-01T00:00:00Z", "0.1.0"), ann, bob)));
    counters = new KnownCounters();
    SignatureRequirement.Accepted back = required(2, true).accept(signed(bundle(6), ann, bob), NOW, "0.1.0", counters);
    assertEquals(Optional.of(7L), back.rolledBackFrom());
    back.record();
    required(2, false).accept(signed(bundle(6), ann, bob), NOW, "0.1.0", counters);
  }

  @Test
  void refusesDamagedStateAndMissingKeys() throws Exception {
    Files.writeString(folder.resolve("state"), "7\n");
    assertTrue(refusal(signed(bundle(8), ann, bob))
        .contains("is damaged: it is not a counter and a digest; restore it, or remove it"));
    Files.delete(folder.resolve("bob.pem"));
    assertTrue(refusal(signed(bundle(8), ann, bob)).startsWith("key file `"));
  }

  @Test
  void contentIsNotParsedBeforeItsSignaturesAreVerified() throws Exception {
    String good = signed(bundle(7), ann, bob);
    String rubbish = Base64.getEncoder().encodeToString("[".repeat(100_000).getBytes(StandardCharsets.UTF_8));
    String other = good.replaceFirst("\"payload\":\"[^\"]*", "\"payload\":\"" + rubbish);
    assertTrue(refusal(other).endsWith("is invalid: the bundle was changed"), refusal(other));
    String one = good.substring(good.indexOf("{\"keyid\""), good.indexOf("},{") + 1);
    assertEquals("it has more than 100 signatures",
        refusal(good.replace("\"signatures\":[", "\"signatures\":[" + (one + ",").repeat(100))));
    assertTrue(refusal(good.replace("\"sig\":\"", "\"sig\":\"=")).startsWith("it is damaged"));
    assertTrue(refusal(good.substring(0, good.length() / 2)).startsWith("it is damaged"));
  }

  @Test
  void refusesWhatIsNoBundleOrOutOfRange() {
    assertEquals("it is not a bundle, which `portcullis bundle sign` writes", refusal("version: 1alpha4\n"));
    assertThrows(BundleException.class, () -> SignedBundle.of(bundle(0)));
    assertThrows(BundleException.class,
        () -> SignedBundle.of(bundle(1, "2027-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "0.1.0")));
    assertThrows(BundleException.class,
        () -> SignedBundle.of(bundle(1, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z", "new")));
  }

  @Test
  void sizesAreBounded() throws Exception {
    Map<String, String> files = new LinkedHashMap<>();
    for (int i = 0; i < 1001; i++) {
      files.put(i + ".yaml", "version: 1alpha4\nrules: []\n");
    }
    Bundle most = bundle(7);
    Bundle many = new Bundle(7, most.notBefore(), most.notAfter(), Optional.empty(), Optional.empty(),
        Optional.empty(), new LinkedHashMap<>(files));
    assertEquals("it has more than 1000 rule sets",
        assertThrows(BundleException.class, () -> SignedBundle.of(many)).getMessage());
    String good = signed(bundle(7), ann, bob);
    assertEquals("it is larger than 33554432 bytes", refusal(good + " ".repeat(32 << 20)));
  }
}
