package portcullis.crypto.apikeys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.source.SourceFile;

class ApiKeyEditTest {
  private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");

  @TempDir
  private Path folder;

  private static ApiKeyEdit.Draft draft(String subject) {
    return new ApiKeyEdit.Draft("pk", subject, Map.of("team", "a: \"b\""), List.of("read"), List.of("10.0.0.0/8"),
        Optional.empty(), Optional.of(NOW.plusSeconds(60)));
  }

  private static ApiKeyEdit.Made add(String text, String subject) throws ApiKeyEdit.EditException {
    return ApiKeyEdit.add(text.isEmpty() ? Optional.empty() : Optional.of(new SourceFile("k.yaml", text)),
        draft(subject), NOW, new SecureRandom());
  }

  private ApiKeyTable table(String text) throws Exception {
    return ApiKeyTable.read(Files.writeString(folder.resolve("keys.yaml"), text));
  }

  @Test
  void aMadeKeyIsFoundAndNotStored() throws Exception {
    ApiKeyEdit.Made first = add("", "ann \"x\" #1");
    ApiKeyEdit.Made second = add(first.file() + "# a comment\n", "bob");
    assertTrue(second.key().matches("pk_[a-z2-7]{12}_[a-z2-7]{52}"), second.key());
    assertFalse(second.file().contains(second.key().substring(16)), second.file());
    assertTrue(second.file().contains("# a comment"));
    ApiKeyTable table = table(second.file());
    ApiKey key = table.find(first.key()).orElseThrow();
    assertEquals("ann \"x\" #1", key.subject());
    assertEquals("{team=Str[value=a: \"b\"]}", key.attributes().members().toString());
    assertEquals("bob", table.find(second.key()).orElseThrow().subject());
    String other = first.key().substring(0, 15) + second.key().substring(15);
    assertEquals(Optional.empty(), table.find(other));
    assertEquals(Optional.empty(), table.find(first.key() + "a"));
    assertEquals(Optional.empty(), table.find("x" + first.key()));
  }

  /** A file has two MiB at most. */
  @Test
  void aFileHasSome7000Keys() throws Exception {
    String one = add("", "alice@shop.example").file();
    int each = add(one, "bob@shop.example").file().length() - one.length();
    assertTrue((2 << 20) / each >= 6500 && (2 << 20) / each <= 7500, each + " characters for a key");
  }

  @Test
  void aRevokedKeyStaysInTheFile() throws Exception {
    ApiKeyEdit.Made made = add("", "ann");
    String revoked = ApiKeyEdit.revoke(new SourceFile("k.yaml", made.file() + "# end\n"), made.id(), NOW);
    assertTrue(revoked.endsWith("# end\n"));
    assertEquals(ApiKey.State.REVOKED, table(revoked).find(made.key()).orElseThrow().state(NOW));
    assertEquals(ApiKey.State.ACTIVE, table(made.file()).find(made.key()).orElseThrow().state(NOW));
    assertEquals(ApiKey.State.EXPIRED,
        table(made.file()).find(made.key()).orElseThrow().state(NOW.plusSeconds(60)));
    assertEquals("the key `" + made.id() + "` is revoked already",
        assertThrows(ApiKeyEdit.EditException.class,
            () -> ApiKeyEdit.revoke(new SourceFile("k.yaml", revoked), made.id(), NOW)).getMessage());
    assertTrue(assertThrows(ApiKeyEdit.EditException.class,
        () -> ApiKeyEdit.revoke(new SourceFile("k.yaml", revoked), "other", NOW)).getMessage()
        .contains("no key has the id `other`"));
    String whole = assertThrows(ApiKeyEdit.EditException.class,
        () -> ApiKeyEdit.revoke(new SourceFile("k.yaml", made.file()), made.key(), NOW)).getMessage();
    assertEquals("name the key by its id, which stands between the two `_` of the key", whole);
    assertTrue(assertThrows(ApiKeyEdit.EditException.class,
        () -> ApiKeyEdit.revoke(new SourceFile("k.yaml", made.file() + "  - id:\n"), made.id(), NOW)).getMessage()
        .startsWith("k.yaml cannot be changed: k.yaml:"));
  }

  @Test
  void aFileOfAnotherFormIsLeftAlone() {
    assertTrue(assertThrows(ApiKeyEdit.EditException.class, () -> add("keys: [ { id: a } ]\n", "ann")).getMessage()
        .startsWith("k.yaml cannot be changed: "));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
      'keys: [{id: a_b, sha256: H, subject: s}]'                       | keys[0].id: is not an id
      'keys: [{id: a, sha256: abc, subject: s}]'                       | keys[0].sha256: is not a hash
      'keys: [{id: a, sha256: H}]'                                     | `subject` is missing
      'keys: [{id: a, sha256: H, subject: s, not_after: tomorrow}]'    | `tomorrow` is not a time
      'keys: [{id: a, sha256: H, subject: s, networks: [here]}]'       | `here` is not a network
      'keys: [{id: a, sha256: H, subject: s, expires: x}]'             | unknown key `expires`
      'keys: [{id: a, sha256: H, subject: s}, {id: a, sha256: H, subject: t}]' | two keys have the id `a`
      """)
  void errorsNameTheirPlace(String text, String expected) {
    String yaml = text.replace("'", "").replace("H", "\"" + "0".repeat(64) + "\"");
    String message = assertThrows(KeyMaterialException.class, () -> table(yaml)).getMessage();
    assertTrue(message.contains("keys.yaml:1:") && message.contains(expected), message);
  }
}
