package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.KeyedHash;
import portcullis.policy.mechanism.Subject;

class DecisionPartsTest {
  private final DecisionParts parts = new DecisionParts();

  @Test
  void eachSubjectHasItsOwnHash() throws Exception {
    KeyedHash hash = new KeyedHash(SymmetricKey.parse("0b".repeat(32), "test"));
    Subject ann = new Subject("ann", Value.Dict.EMPTY);
    byte[] first = parts.subject(ann, hash);
    assertSame(first, parts.subject(new Subject(ann.id(), Value.Dict.EMPTY), hash), "of the same credential");
    for (String id : List.of("ann", "bob", new String("ann"), "")) {
      String written = new String(parts.subject(new Subject(id, Value.Dict.EMPTY), hash), StandardCharsets.UTF_8);
      assertEquals("\"subject\":\"" + hash.of(id) + "\"", written);
    }
  }
}
