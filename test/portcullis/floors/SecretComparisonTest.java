package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.keys.SymmetricKey;

/** Secrets are compared in constant time: what the methods call that compare them, in the bytecode. */
final class SecretComparisonTest {
  private static final String CONSTANT_TIME = "java/security/MessageDigest.isEqual";
  /** These end at the first difference, so that their time tells how much was right. */
  private static final Set<String> HASTY = Set.of("java/lang/String.equals", "java/lang/String.equalsIgnoreCase",
      "java/lang/String.contentEquals", "java/lang/String.compareTo", "java/lang/String.regionMatches",
      "java/lang/String.startsWith", "java/util/Arrays.equals", "java/util/Arrays.mismatch",
      "java/util/Objects.equals", "java/nio/ByteBuffer.equals");

  /** The methods that a method calls, its lambdas included. */
  private static Set<String> calls(String type, String method) throws IOException {
    try (InputStream in = SymmetricKey.class.getResourceAsStream("/portcullis/" + type + ".class")) {
      return ClassFile.of().parse(in.readAllBytes()).methods().stream()
          .filter(one -> one.methodName().equalsString(method)
              || one.methodName().stringValue().startsWith("lambda$" + method + "$"))
          .map(SecretComparisonTest::calls).flatMap(Set::stream).collect(Collectors.toSet());
    }
  }

  private static Set<String> calls(MethodModel method) {
    return method.code().orElseThrow().elementStream().filter(InvokeInstruction.class::isInstance)
        .map(InvokeInstruction.class::cast).map(call -> call.owner().asInternalName() + "." + call.name())
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @CsvSource({"crypto/apikeys/ApiKeyTable, find", "crypto/keys/SymmetricKey, isWrittenAs",
    "crypto/keys/Algorithm, verify", "policy/authenticator/DpopNonces, isValid",
    "policy/authenticator/DpopCheck, isEqual", "policy/login/PendingLogin, same", "serve/redis/Seal, opened",
    "policy/authenticator/BasicAuth, accounts", "crypto/passwords/PasswordHash$Argon, matches",
    "crypto/passwords/PasswordHash$Blowfish, matches"})
  void timingOfKeyComparison(String type, String method) throws IOException {
    Set<String> calls = calls(type, method);
    assertTrue(calls.contains(CONSTANT_TIME), calls::toString);
    assertEquals(List.of(), HASTY.stream().filter(calls::contains).toList());
  }

  /** What the other test would notice. */
  @Test
  void aHastyComparisonIsSeen() throws IOException {
    Set<String> calls = calls("policy/login/Challenge", "isNavigation");
    assertTrue(calls.contains("java/lang/String.equals"), calls::toString);
    assertFalse(calls.contains(CONSTANT_TIME));
  }

  @Test
  void presentedKeysAreHashedBeforeTheyAreCompared() throws IOException {
    Set<String> calls = calls("crypto/apikeys/ApiKeyTable", "find");
    assertTrue(calls.contains("portcullis/crypto/apikeys/ApiKeyTable.hash"), calls::toString);
  }
}
