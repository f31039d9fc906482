package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;

class KeyRingsTest {
  @TempDir
  private Path folder;
  private final KeyRings rings = new KeyRings(InstantSource.system());

  private Path store(String... ids) throws IOException {
    StringBuilder out = new StringBuilder();
    for (String id : ids) {
      out.append(TestKeys.pem(TestKeys.ec(256)).replace("-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE "
          + "KEY-----\nX-Key-ID: " + id + "\n\n"));
    }
    return Files.writeString(folder.resolve("k.pem"), out);
  }

  private String reload(Path file) {
    return assertThrows(KeyMaterialException.class, () -> rings.prepared(file).run()).getMessage();
  }

  @Test
  void aReloadReachesAllWhoHoldTheFile() throws Exception {
    Path file = store("a");
    Supplier<KeyRing> one = rings.ring(file, "", Optional.empty());
    assertSame(one.get(),
        rings.ring(folder.resolve("../" + folder.getFileName() + "/k.pem"), "", Optional.empty()).get());
    KeyRing before = one.get();
    store("a");
    assertSame(before, rings.ring(file, "", Optional.empty()).get());
    rings.prepared(rings.files().getFirst()).run();
    assertNotEquals(before.first().publicKey(), one.get().first().publicKey());
    assertEquals(List.of(file), rings.files());
  }

  @Test
  void aReloadReachesAllWhoOpenedTheFileAtTheSameTime() throws Exception {
    Path file = store("a");
    List<Supplier<KeyRing>> held = new ArrayList<>();
    CyclicBarrier start = new CyclicBarrier(4);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Supplier<KeyRing>>> opened = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        opened.add(threads.submit(() -> {
          start.await(60, TimeUnit.SECONDS);
          return rings.ring(file, "", Optional.empty());
        }));
      }
      for (Future<Supplier<KeyRing>> one : opened) {
        held.add(one.get(60, TimeUnit.SECONDS));
      }
    }
    store("b");
    rings.prepared(file).run();
    assertEquals(List.of("b", "b", "b", "b"), held.stream().map(ring -> ring.get().first().id()).toList());
  }

  @Test
  void theKeyStoresInUseAreKnownByTheirFiles() throws Exception {
    assertEquals(Map.of(), rings.rings());
    Supplier<KeyRing> one = rings.ring(store("a"), "", Optional.empty());
    Path second = rsa("other.pem", "b");
    Supplier<KeyRing> other = rings.ring(second, "", Optional.empty());
    assertEquals(Map.of(folder.resolve("k.pem"), one.get(), second, other.get()), rings.rings());
  }

  @Test
  void aFileThatCannotBeUsedLeavesItsKeys() throws Exception { // S46
    Path file = store("a");
    Supplier<KeyRing> ring = rings.ring(file, "", Optional.empty());
    KeyRing before = ring.get();
    Files.writeString(file, "nothing");
    assertTrue(reload(file).startsWith("key store `" + file + "`: "));
    Files.delete(file);
    assertEquals("key store `" + file + "`: there is no such file", reload(file));
    assertSame(before, ring.get());
  }

  @Test
  void aFileWithoutAKeyThatIsNeededLeavesItsKeys() throws Exception { // S46
    Path file = store("a", "b");
    Supplier<KeyRing> ring = rings.ring(file, "", Optional.of("b"));
    assertThrows(KeyMaterialException.class, () -> rings.ring(file, "", Optional.of("c")));
    KeyRing before = ring.get();
    store("a", "c");
    assertEquals("key store `" + file + "`: no key `b` (known: a, c)", reload(file));
    assertSame(before, ring.get());
    store("b");
    rings.prepared(file).run();
    assertEquals("b", ring.get().first().id());
  }

  @Test
  void keysThatAreShownAreKnownAsTheyAreNow() throws Exception {
    Path file = store("a", "b");
    rings.ring(file, "", Optional.empty());
    assertEquals(List.of(), rings.shown());
    rings.shown(KeyStoreFiles.one(file), "", Optional.of("b"));
    rings.shown(KeyStoreFiles.one(file), "", Optional.of("b"));
    KeyEntry before = rings.shown().getFirst();
    store("b");
    rings.prepared(file).run();
    assertEquals(List.of("b"), rings.shown().stream().map(KeyEntry::id).toList());
    assertNotEquals(before.publicKey(), rings.shown().getFirst().publicKey());
  }

  @Test
  void keysAreReplacedOnlyTogetherWithTheirCertificates() throws Exception {
    TestCertificate first = CertificateDraft.of("one").keys(TestKeys.ec(256)).make();
    TestCertificate second = CertificateDraft.of("two").keys(TestKeys.ec(256)).make();
    Path key = Files.writeString(folder.resolve("svid_key.pem"), TestKeys.pem(first.keys()));
    Path chain = Files.writeString(folder.resolve("svid.pem"), first.pem());
    Supplier<KeyRing> ring = rings.shown(new KeyStoreFiles(key, Optional.of(chain)), "", Optional.empty());
    assertEquals(List.of(chain, key), rings.files());
    assertEquals(key, rings.store(chain));
    assertEquals(List.of(first.certificate()), ring.get().first().chain());
    Files.writeString(chain, second.pem());
    assertTrue(reload(chain).matches("key store `" + key + "`: key `[0-9a-f]{40}` does not fit the certificates in `"
        + chain + "`: none of them is for its public key"), reload(chain));
    assertEquals(List.of(first.certificate()), ring.get().first().chain());
    assertEquals(first.keys().getPublic(), ring.get().first().publicKey());
    Files.writeString(key, TestKeys.pem(second.keys()));
    rings.prepared(key).run();
    assertEquals(List.of(second.certificate()), rings.shown().getFirst().chain());
    assertEquals(second.keys().getPublic(), ring.get().first().publicKey());
  }

  @Test
  void certificatesOfAFileOfTheirOwnAreNowhereElse() throws Exception {
    TestCertificate own = CertificateDraft.of("one").keys(TestKeys.ec(256)).make();
    Path key = Files.writeString(folder.resolve("key.pem"), own.keyStore());
    Path chain = Files.writeString(folder.resolve("chain.pem"), own.pem());
    KeyStoreFiles files = new KeyStoreFiles(key, Optional.of(chain));
    assertEquals("key store `" + key + "`: it holds certificates, which are expected in `" + chain
        + "` (`certificates`) only", refused(files));
    Files.writeString(key, TestKeys.pem(own.keys()));
    assertEquals(1, rings.shown(files, "", Optional.empty()).get().first().chain().size());
    Files.writeString(chain, "");
    assertEquals("certificates `" + chain + "`: it holds no certificate, expected at least one `CERTIFICATE`",
        reload(chain));
    Files.writeString(chain, TestKeys.pem(own.keys()));
    assertEquals("certificates `" + chain + "`: entry 1 (line 1, `PRIVATE KEY`): not allowed in a file of certificates,"
        + " allowed is `CERTIFICATE` only", reload(chain));
    Files.delete(chain);
    assertEquals("certificates `" + chain + "`: there is no such file", reload(chain));
  }

  private String refused(KeyStoreFiles files) {
    return assertThrows(KeyMaterialException.class, () -> rings.shown(files, "", Optional.empty())).getMessage();
  }

  private Path rsa(String name, String... ids) throws IOException {
    StringBuilder out = new StringBuilder();
    for (String id : ids) {
      out.append(TestKeys.pem(TestKeys.rsa()).replace("-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE "
          + "KEY-----\nX-Key-ID: " + id + "\n\n"));
    }
    return Files.writeString(folder.resolve(name), out);
  }

  private String published() {
    return rings.published().stream().map(KeyEntry::toString).collect(Collectors.joining(", "));
  }

  @Test
  void keysArePublishedWithTheWayThatTheySignIn() throws Exception {
    Path file = rsa("k.pem", "a", "b", "c");
    rings.ring(rsa("shown.pem", "tls"), "", Optional.empty());
    assertEquals("", published());
    rings.signing(file, "", Optional.of("b"), Optional.of(Algorithm.RS512));
    assertEquals("a (PS256), b (RS512), c (PS256)", published());
    rings.signing(file, "", Optional.empty(), Optional.empty());
    rings.signing(file, "", Optional.of("c"), Optional.of(Algorithm.RS256));
    assertEquals("a (PS256), b (RS512), c (RS256)", published());
  }

  @Test
  void aKeySignsInOneWayOnly() throws Exception {
    Path file = rsa("k.pem", "a", "b");
    rings.signing(file, "", Optional.empty(), Optional.of(Algorithm.RS256));
    rings.signing(file, "", Optional.of("a"), Optional.of(Algorithm.RS256));
    rings.signing(file, "", Optional.of("b"), Optional.empty());
    String error = assertThrows(KeyMaterialException.class,
        () -> rings.signing(file, "", Optional.of("a"), Optional.empty()))
        .getMessage();
    assertEquals("key `a` would sign both RS256 and PS256, a key signs in one way only (RFC 8725, 3.1): give each a "
        + "key of its own", error);
    assertThrows(KeyMaterialException.class,
        () -> rings.signing(file, "", Optional.empty(), Optional.of(Algorithm.PS384)));
    assertEquals("a (RS256), b (PS256)", published());
  }

  @Test
  void keepsKeysIfTheNewFileReusesOneForAnotherUse() throws Exception { // S46
    Path file = rsa("k.pem", "a", "b");
    rings.signing(file, "", Optional.empty(), Optional.of(Algorithm.RS256));
    rings.signing(file, "", Optional.of("b"), Optional.empty());
    rsa("k.pem", "b", "a");
    assertTrue(reload(file).startsWith("key store `" + file + "`: key `b` would sign both "));
    assertEquals("a (RS256), b (PS256)", published());
    rsa("k.pem", "c", "b");
    rings.prepared(file).run();
    assertEquals("b (PS256), c (RS256)", published());
  }

  @Test
  void aReloadReadsNoOtherFile() throws Exception {
    Path file = store("a");
    Path other = rsa("other.pem", "b");
    Supplier<KeyRing> ring = rings.ring(other, "", Optional.empty());
    KeyRing before = ring.get();
    rings.ring(file, "", Optional.empty());
    Files.writeString(other, "nothing");
    rings.prepared(file).run();
    assertSame(before, ring.get());
  }

  @Test
  void aFileOfSeveralStoresIsKnownOnce() throws Exception {
    TestCertificate own = CertificateDraft.of("one").keys(TestKeys.ec(256)).make();
    Path chain = Files.writeString(folder.resolve("b.pem"), own.pem());
    List<Path> all = new ArrayList<>(List.of(chain));
    for (String name : List.of("g", "c", "f", "a", "e", "d")) {
      all.add(Files.writeString(folder.resolve(name + ".pem"), TestKeys.pem(own.keys())));
      rings.shown(new KeyStoreFiles(all.getLast(), Optional.of(chain)), "", Optional.empty());
    }
    assertEquals(all.stream().sorted().toList(), rings.files());
    assertEquals(folder.resolve("a.pem"), rings.store(chain));
    assertEquals(folder.resolve("g.pem"), rings.store(folder.resolve("g.pem")));
    assertEquals(folder.resolve("x.pem"), rings.store(folder.resolve("x.pem")));
  }

  @Test
  void theKeysOfAStoreDependOnItsPassword() throws Exception {
    Path file = store("a");
    Supplier<KeyRing> one = rings.ring(file, "x", Optional.empty());
    Supplier<KeyRing> other = rings.ring(file, "y", Optional.empty());
    store("b");
    rings.prepared(file).run();
    assertEquals("b b", one.get().first().id() + " " + other.get().first().id());
  }

  @Test
  void keysOfSeveralStoresArePublishedByTheirIds() throws Exception {
    List<String> ids = List.of("f", "b", "e", "a", "d", "c");
    for (String id : ids) {
      rings.signing(rsa(id + ".pem", id), "", Optional.empty(), Optional.empty());
    }
    assertEquals("a (PS256), b (PS256), c (PS256), d (PS256), e (PS256), f (PS256)", published());
    assertEquals(ids.stream().sorted().map(id -> folder.resolve(id + ".pem")).toList(), rings.files());
  }

  @Test
  void theKeyThatIsNamedIsShownElseTheFirst() throws Exception {
    Path file = store("a", "b");
    rings.shown(KeyStoreFiles.one(file), "", Optional.of("b"));
    assertEquals(List.of("b"), rings.shown().stream().map(KeyEntry::id).toList());
    rings.shown(KeyStoreFiles.one(file), "", Optional.empty());
    assertEquals(List.of("a", "b"), rings.shown().stream().map(KeyEntry::id).sorted().toList());
  }
}
