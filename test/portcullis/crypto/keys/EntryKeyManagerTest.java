package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.security.KeyPair;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestKeys;

class EntryKeyManagerTest {
  private static KeyEntry entry(KeyPair keys) throws KeyMaterialException {
    return KeyRing.parse(CertificateDraft.of("gate").keys(keys).make().keyStore(), "", Instant.now()).first();
  }

  private static String chosen(EntryKeyManager manager, String kind) throws Exception {
    try (Socket socket = new Socket()) {
      return manager.chooseServerAlias(kind, null, socket);
    }
  }

  @Test
  void aHandshakeKeepsTheKeyThatItBeganWith() throws Exception {
    List<KeyEntry> entries = List.of(entry(TestKeys.ec(256)), entry(TestKeys.ec(256)), entry(TestKeys.ec(384)));
    EntryKeyManager manager = new EntryKeyManager(entries.get(0));
    String first = chosen(manager, "EC");
    manager.use(List.of(entries.get(1)));
    String second = chosen(manager, "EC");
    assertEquals(entries.get(0).privateKey(), manager.getPrivateKey(first));
    assertEquals(entries.get(0).chain(), List.of(manager.getCertificateChain(first)));
    assertEquals(entries.get(1).privateKey(), manager.getPrivateKey(second));
    manager.use(List.of(entries.get(2)));
    assertEquals(entries.get(1).privateKey(), manager.getPrivateKey(second));
    assertNull(manager.getPrivateKey(first));
    assertEquals(List.of(entries.get(2)), manager.current());
  }

  @Test
  void returnsNoKeyOfAnotherType() throws Exception {
    EntryKeyManager manager = new EntryKeyManager(entry(TestKeys.ec(256)));
    assertNull(chosen(manager, "RSA"));
    assertNull(manager.getServerAliases("EdDSA", null));
    assertNull(manager.getClientAliases("RSA", null));
    assertArrayEquals(new String[] {"0.0"}, manager.getServerAliases("EC", null));
    assertArrayEquals(new String[] {"0.0"}, manager.getClientAliases("EC", null));
    assertEquals("0.0", manager.chooseClientAlias(new String[] {"RSA", "EC"}, null, null));
    assertNull(manager.chooseClientAlias(new String[] {"RSA"}, null, null));
  }

  @Test
  void coversTheHostsOfItsCertificates() throws Exception {
    KeyEntry gate = KeyRing.parse(CertificateDraft.of("gate").hosts("gate.test", "*.shop.test").make().keyStore(), "",
        Instant.now()).first();
    KeyEntry bare = new KeyEntry("bare", gate.privateKey(), gate.publicKey(), List.of(), gate.algorithm());
    EntryKeyManager manager = new EntryKeyManager(List.of(bare, gate));
    assertTrue(manager.cover("gate.test") && manager.cover("a.shop.test"));
    assertFalse(manager.cover("other.test"));
    manager.use(List.of(bare));
    assertFalse(manager.cover("gate.test"));
  }

  @Test
  void anAliasThatNobodyHasHasNoCertificateEither() throws Exception {
    EntryKeyManager manager = new EntryKeyManager(List.of(entry(TestKeys.ec(256)), entry(TestKeys.ec(384))));
    assertNull(manager.getCertificateChain("0.2"));
    assertNull(manager.getCertificateChain("1.0"));
    assertEquals(manager.current().get(1).chain(), List.of(manager.getCertificateChain("0.1")));
  }

  @Test
  void aClientUsesTheFirstTypeThatItHasAKeyOf() throws Exception {
    EntryKeyManager manager = new EntryKeyManager(List.of(entry(TestKeys.ec(256)), entry(TestKeys.rsa())));
    assertEquals("0.1", manager.chooseClientAlias(new String[] {"EdDSA", "RSA", "EC"}, null, null));
    assertEquals("0.0", manager.chooseClientAlias(new String[] {"EC", "RSA"}, null, null));
    assertNull(manager.chooseClientAlias(new String[0], null, null));
  }
}
