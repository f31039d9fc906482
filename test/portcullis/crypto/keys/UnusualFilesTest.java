package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.TestKeys;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.PastedKey;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

/** Files of keys that are missing, that everybody may write, or whose path is a key. */
class UnusualFilesTest {
  private static final String WRITABLE = "everybody may write it, as `chmod 600` prevents";
  private static final String PASTED = "a key seems to be in the place of the path of its file: write it to a file, "
      + "and name that";

  @TempDir
  private Path folder;

  private Path file(String text, String permissions) throws Exception {
    Path file = Files.writeString(folder.resolve("k.pem"), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static KeyMaterialException refused(Executable call) {
    return assertThrows(KeyMaterialException.class, call);
  }

  private static Problem.Severity severity(KeyMaterialException error) {
    Problems problems = new Problems();
    KeyMaterialException.report(error, LocatedText.of("file", "k.pem"), problems);
    return problems.sorted().getFirst().severity();
  }

  @Test
  void aMissingFileIsAnErrorAndAMissingFolderOneOfTheHost() {
    KeyMaterialException file = refused(() -> KeyFile.text(folder.resolve("none.pem")));
    assertEquals("there is no such file", file.getMessage());
    assertEquals(Problem.Severity.ERROR, severity(file));
    KeyMaterialException both = refused(() -> KeyFile.text(folder.resolve("none/none.pem")));
    assertEquals("there is no such file", both.getMessage());
    assertEquals(Problem.Severity.ERROR_ON_HOST, severity(both));
    assertEquals(Problem.Severity.ERROR_ON_HOST, severity(both.in("key store")));
  }

  @Test
  void aRelativePathSaysWhereItStarts() {
    KeyMaterialException error = refused(() -> KeyFile.text(Path.of("none-of-this-name.pem")));
    assertEquals("there is no such file in `" + Path.of("").toAbsolutePath() + "`", error.getMessage());
    assertEquals(Problem.Severity.ERROR, severity(error));
  }

  @Test
  void aKeyInThePlaceOfAPathIsNotShown() throws Exception {
    Path pasted = Path.of("0123456789abcdef".repeat(4));
    assertEquals(PASTED, refused(() -> KeyFile.text(pasted)).getMessage());
    assertEquals("key store `***`: " + PASTED, refused(() -> KeyRing.read(pasted, "", Instant.EPOCH)).getMessage());
    assertEquals("key store `***`: " + PASTED,
        refused(() -> KeyRing.ed25519(pasted, Optional.empty(), Instant.EPOCH)).getMessage());
    assertEquals("key file `***`: " + PASTED, refused(() -> VerificationKeys.ed25519(pasted)).getMessage());
  }

  @Test
  void aFileWhoseNameOnlyLooksLikeAKeyIsRead() throws Exception {
    Path here = Files.createTempDirectory(Path.of("").toAbsolutePath().resolve("build"),
        "Abcdef0123456789Abcdef0123456789");
    Path file = here.resolve("x");
    try {
      Path named = Files.writeString(Path.of("").toAbsolutePath().relativize(file), "content");
      assertTrue(PastedKey.isLike(named));
      assertEquals("content", KeyFile.text(named));
    } finally {
      Files.deleteIfExists(file);
      Files.delete(here);
    }
  }

  @Test
  void keysThatDecideAccessAreNotWritableByAll() throws Exception {
    String key = TestKeys.pem(TestKeys.ed25519());
    Path writable = file(key, "rw-rw-rw-");
    assertTrue(KeyFile.isWritableByAll(writable));
    assertEquals(WRITABLE, KeyFile.WRITABLE);
    assertEquals(WRITABLE, refused(() -> KeyFile.guarded(writable)).getMessage());
    assertEquals("key store `" + writable + "`: " + WRITABLE,
        refused(() -> KeyRing.ed25519(writable, Optional.empty(), Instant.EPOCH)).getMessage());
    assertEquals("key file `" + writable + "`: " + WRITABLE,
        refused(() -> VerificationKeys.ed25519(writable)).getMessage());
    assertEquals(1, KeyRing.read(writable, "", Instant.EPOCH).entries().size());
    Path guarded = file(key, "rw-rw-r--");
    assertFalse(KeyFile.isWritableByAll(guarded));
    assertEquals(key, KeyFile.guarded(guarded));
  }

  @Test
  void aFileThatIsMissingIsNotWritable() {
    Path missing = folder.resolve("none.pem");
    assertFalse(KeyFile.isWritableByAll(missing));
    assertEquals("there is no such file", refused(() -> KeyFile.guarded(missing)).getMessage());
  }
}
