package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.KeyPair;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;

/** Handshakes over real sockets. */
class ServerTlsTest {
  private static final Instant NOW = Instant.now();
  private static final TestCertificate ROOT = CertificateDraft.authority("root");
  private static final List<CipherSuite> SUITES = CipherSuite.DEFAULTS;

  private static KeyEntry gate(KeyPair keys, String... hosts) throws KeyMaterialException {
    TestCertificate gate = CertificateDraft.of("gate").keys(keys).hosts(hosts).issuedBy(ROOT).make();
    return KeyRing.parse(gate.keyStore(ROOT), "", NOW).first();
  }

  private static ServerTls server(TlsVersion lowest, String... hosts) throws KeyMaterialException {
    return ServerTls.of(List.of(gate(TestKeys.ec(256), hosts)), lowest, SUITES, ServerTls.Clients.ANY);
  }

  private static TrustStore trust() throws KeyMaterialException {
    return TrustStore.parse(ROOT.pem());
  }

  /** What the client's session is after the handshake, or the error that ended it. */
  private static SSLSession handshake(ServerTls server, ClientTls client, Consumer<SSLParameters> change)
      throws Exception {
    try (SSLServerSocket listener = (SSLServerSocket) server.context().getServerSocketFactory().createServerSocket()) {
      listener.setSSLParameters(server.parameters());
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Thread.ofVirtual().start(() -> answer(listener));
      try (SSLSocket socket = (SSLSocket) client.context().getSocketFactory().createSocket(
          new Socket(listener.getInetAddress(), listener.getLocalPort()), "localhost", listener.getLocalPort(), true)) {
        SSLParameters parameters = client.parameters();
        change.accept(parameters);
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(10_000);
        socket.startHandshake();
        assertEquals('x', socket.getInputStream().read());
        return socket.getSession();
      }
    }
  }

  private static void answer(SSLServerSocket listener) {
    try (SSLSocket socket = (SSLSocket) listener.accept()) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write('x');
    } catch (IOException _) {
      // the client tells
    }
  }

  private static void asking(SSLParameters parameters, String host) {
    parameters.setServerNames(List.of(new SNIHostName(host)));
    parameters.setEndpointIdentificationAlgorithm("");
  }

  @Test
  void servesEveryKindOfKeyInBothVersions() throws Exception {
    for (KeyPair keys : List.of(TestKeys.rsa(), TestKeys.ec(256), TestKeys.ec(384), TestKeys.ec(521),
        TestKeys.ed25519())) {
      ServerTls server = ServerTls.of(List.of(gate(keys, "localhost")), TlsVersion.TLS1_2, SUITES,
          ServerTls.Clients.ANY);
      ClientTls client = ClientTls.of(Optional.of(trust()), Optional.empty());
      SSLSession session = handshake(server, client, p -> {});
      assertEquals("TLSv1.3", session.getProtocol());
      assertEquals(server.keys().getFirst().chain(), List.of(session.getPeerCertificates()));
      assertEquals("TLSv1.2", handshake(server, client, p -> p.setProtocols(new String[] {"TLSv1.2"})).getProtocol());
    }
  }

  /** The schemes of a listener are those of its keys, and do not limit how others have signed its certificates. */
  @Test
  void certificatesMayBeSignedByKeysOfAnotherKind() throws Exception {
    for (boolean rsa : List.of(true, false)) {
      TestCertificate root = CertificateDraft.of("root").keys(rsa ? TestKeys.ec(256) : TestKeys.rsa()).forAuthority()
          .make();
      TestCertificate gate = CertificateDraft.of("gate").keys(rsa ? TestKeys.rsa() : TestKeys.ec(256))
          .hosts("localhost").issuedBy(root).make();
      ServerTls server = ServerTls.of(List.of(KeyRing.parse(gate.keyStore(root), "", NOW).first()), TlsVersion.TLS1_2,
          SUITES, ServerTls.Clients.ANY);
      ClientTls client = ClientTls.of(Optional.of(TrustStore.parse(root.pem())), Optional.empty());
      for (String version : List.of("TLSv1.2", "TLSv1.3")) {
        assertEquals(version,
            handshake(server, client, p -> p.setProtocols(new String[] {version})).getProtocol());
      }
    }
  }

  @Test
  void schemesAreThoseOfTheKeysUnlessClientsHaveCertificatesToo() throws Exception {
    KeyEntry ec = gate(TestKeys.ec(256), "localhost");
    KeyEntry rsa = gate(TestKeys.rsa(), "localhost");
    KeyEntry edwards = gate(TestKeys.ed25519(), "localhost");
    assertEquals(List.of("ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ecdsa_secp521r1_sha512"),
        schemes(List.of(ec, ec), ServerTls.Clients.ANY));
    assertEquals(9, schemes(List.of(ec, rsa), ServerTls.Clients.ANY).size());
    assertEquals(List.of(), schemes(List.of(ec, edwards), ServerTls.Clients.ANY));
    assertEquals(List.of(), schemes(List.of(ec), new ServerTls.Clients(Optional.of(trust()), false)));
    ServerTls server = ServerTls.of(List.of(ec), TlsVersion.TLS1_2, SUITES, ServerTls.Clients.ANY);
    server.use(List.of(rsa));
    assertEquals("rsa_pss_rsae_sha256", server.parameters().getSignatureSchemes()[0]);
  }

  private static List<String> schemes(List<KeyEntry> keys, ServerTls.Clients clients) throws KeyMaterialException {
    String[] schemes = ServerTls.of(keys, TlsVersion.TLS1_2, SUITES, clients).parameters().getSignatureSchemes();
    return schemes == null ? List.of() : List.of(schemes);
  }

  @Test
  void offersNoGroupsButThoseOfHeimdall() throws Exception {
    ServerTls server = server(TlsVersion.TLS1_2, "localhost");
    ClientTls client = ClientTls.of(Optional.of(trust()), Optional.empty());
    for (String group : List.of("x25519", "secp256r1", "secp384r1", "secp521r1")) {
      assertEquals("TLSv1.3", handshake(server, client, p -> p.setNamedGroups(new String[] {group})).getProtocol());
    }
    for (String group : List.of("x448", "ffdhe2048")) {
      assertThrows(SSLException.class, () -> handshake(server, client, p -> p.setNamedGroups(new String[] {group})));
    }
  }

  @Test
  void refusesOlderVersionsThanConfigured() throws Exception {
    ServerTls server = server(TlsVersion.TLS1_3, "localhost");
    ClientTls client = ClientTls.of(Optional.of(trust()), Optional.empty());
    assertThrows(SSLException.class, () -> handshake(server, client, p -> p.setProtocols(new String[] {"TLSv1.2"})));
    assertEquals("TLSv1.3", handshake(server, client, p -> {}).getProtocol());
  }

  @Test
  void offersTheConfiguredSuitesInTheirOrder() throws Exception {
    ServerTls server = ServerTls.of(List.of(gate(TestKeys.ec(256), "localhost")), TlsVersion.TLS1_2,
        List.of(CipherSuite.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
            CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256),
        ServerTls.Clients.ANY);
    ClientTls client = ClientTls.of(Optional.of(trust()), Optional.empty());
    Consumer<SSLParameters> tls12 = p -> p.setProtocols(new String[] {"TLSv1.2"});
    assertEquals("TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", handshake(server, client, tls12).getCipherSuite());
    assertEquals("TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", handshake(server, client, tls12.andThen(
        p -> p.setCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"}))).getCipherSuite());
    assertEquals("TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        handshake(server, client, tls12.andThen(p -> p.setCipherSuites(new String[] {
          "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"})))
            .getCipherSuite(),
        "the client prefers the other one");
    assertThrows(SSLException.class, () -> handshake(server, client, tls12.andThen(
        p -> p.setCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"}))));
  }

  @Test
  void refusesNamesThatTheCertificateDoesNotCover() throws Exception {
    ServerTls server = server(TlsVersion.TLS1_2, "gate.test", "*.wild.test");
    ClientTls client = ClientTls.of(Optional.of(trust()), Optional.empty());
    for (String host : List.of("gate.test", "GATE.test", "a.wild.test")) {
      handshake(server, client, p -> asking(p, host));
    }
    for (String version : List.of("TLSv1.2", "TLSv1.3")) {
      for (String host : List.of("other.test", "wild.test", "a.b.wild.test", "agate.test", "gate.test.evil")) {
        SSLException refused = assertThrows(SSLException.class, () -> handshake(server, client, p -> {
          asking(p, host);
          p.setProtocols(new String[] {version});
        }));
        assertTrue(refused.getMessage().contains("unrecognized_name"), refused.getMessage());
      }
    }
    handshake(server, client, p -> {
      p.setServerNames(List.of());
      p.setEndpointIdentificationAlgorithm("");
    });
  }

  @Test
  void exchangedCertificatesCountForNewConnections() throws Exception {
    ServerTls server = server(TlsVersion.TLS1_3, "localhost");
    for (int i = 0; i < 3; i++) {
      KeyEntry next = gate(i == 1 ? TestKeys.rsa() : TestKeys.ec(256), "localhost");
      server.use(List.of(next));
      ClientTls client = ClientTls.of(Optional.of(trust()), Optional.empty());
      assertEquals(next.chain().getFirst(), handshake(server, client, p -> {}).getPeerCertificates()[0]);
    }
    List<KeyEntry> kept = server.keys();
    KeyEntry bare = KeyRing.parse(TestKeys.pem(TestKeys.ec(256)), "", NOW).first();
    assertThrows(KeyMaterialException.class, () -> server.use(List.of(bare)));
    assertEquals(kept, server.keys());
  }

  @Test
  void choosesTheFirstKeyThatCoversTheHost() throws Exception {
    KeyEntry shop = gate(TestKeys.ec(256), "localhost", "shop.test");
    KeyEntry wild = gate(TestKeys.ec(256), "*.shop.test");
    KeyEntry rsa = gate(TestKeys.rsa(), "old.test");
    ServerTls server = ServerTls.of(List.of(shop, wild, rsa), TlsVersion.TLS1_2, SUITES, ServerTls.Clients.ANY);
    ClientTls client = ClientTls.of(Optional.of(trust()), Optional.empty());
    for (var row : Map
        .of("shop.test", shop, "SHOP.test", shop, "a.shop.test", wild, "A.Shop.Test", wild, "old.test", rsa)
        .entrySet()) {
      assertEquals(row.getValue().chain().getFirst(),
          handshake(server, client, p -> asking(p, row.getKey())).getPeerCertificates()[0], row.getKey());
    }
    assertEquals(shop.chain().getFirst(),
        handshake(server, client, p -> p.setServerNames(List.of())).getPeerCertificates()[0]);
    assertThrows(SSLException.class, () -> handshake(server, client, p -> asking(p, "other.test")));
  }

  @Test
  void requestsClientCertificateIfConfigured() throws Exception {
    TestCertificate other = CertificateDraft.authority("other");
    KeyEntry known = KeyRing.parse(CertificateDraft.of("client").issuedBy(ROOT).make().keyStore(ROOT), "", NOW).first();
    KeyEntry stranger = KeyRing.parse(CertificateDraft.of("client").issuedBy(other).make().keyStore(other), "", NOW)
        .first();
    for (boolean required : new boolean[] {true, false}) {
      ServerTls server = ServerTls.of(List.of(gate(TestKeys.ec(256), "localhost")), TlsVersion.TLS1_2, SUITES,
          new ServerTls.Clients(Optional.of(trust()), required));
      assertEquals(known.chain().getFirst(),
          handshake(server, ClientTls.of(Optional.of(trust()), Optional.of(known)), p -> {})
              .getLocalCertificates()[0]);
      assertThrows(IOException.class,
          () -> handshake(server, ClientTls.of(Optional.of(trust()), Optional.of(stranger)), p -> {}));
      ClientTls bare = ClientTls.of(Optional.of(trust()), Optional.empty());
      if (required) {
        assertThrows(IOException.class, () -> handshake(server, bare, p -> {}));
      } else {
        assertEquals(null, handshake(server, bare, p -> {}).getLocalCertificates());
      }
    }
  }

  @Test
  void keysWithoutFittingCertificateAreRefused() throws Exception {
    KeyEntry bare = KeyRing.parse(TestKeys.pem(TestKeys.ec(256)), "", NOW).first();
    assertEquals("key `" + bare.id() + "` is not fit for TLS: no certificate in the file belongs to it",
        assertThrows(KeyMaterialException.class,
            () -> ServerTls.of(List.of(bare), TlsVersion.TLS1_3, SUITES, ServerTls.Clients.ANY)).getMessage());
    TestCertificate cipherOnly = CertificateDraft.of("gate").notForSigning().make();
    KeyEntry entry = KeyRing.parse(cipherOnly.keyStore(), "", NOW).first();
    assertEquals("key `" + entry.id() + "`: its certificate is not for digital signatures (key usage)",
        assertThrows(KeyMaterialException.class,
            () -> ServerTls.of(List.of(entry), TlsVersion.TLS1_3, SUITES, ServerTls.Clients.ANY)).getMessage());
  }

  @Test
  void clientsTrustOnlyConfiguredIssuers() throws Exception {
    ServerTls server = server(TlsVersion.TLS1_3, "localhost");
    TrustStore stranger = TrustStore.parse(CertificateDraft.authority("root").pem());
    assertThrows(SSLException.class,
        () -> handshake(server, ClientTls.of(Optional.of(stranger), Optional.empty()), p -> {}));
    assertThrows(SSLException.class,
        () -> handshake(server, ClientTls.of(Optional.empty(), Optional.empty()), p -> {}));
    ServerTls elsewhere = server(TlsVersion.TLS1_3, "elsewhere.test");
    ClientTls client = ClientTls.of(Optional.of(trust()), Optional.empty());
    assertThrows(SSLException.class, () -> handshake(elsewhere, client, p -> {}));
    handshake(server, client, p -> {});
  }

  @Test
  void clientsOfOtherIssuersAreLetInOnceTheseAreTrusted() throws Exception {
    TestCertificate other = CertificateDraft.authority("other");
    KeyEntry own = KeyRing.parse(CertificateDraft.of("client").issuedBy(other).make().keyStore(other), "", NOW).first();
    ClientTls client = ClientTls.of(Optional.of(trust()), Optional.of(own));
    ServerTls server = ServerTls.of(List.of(gate(TestKeys.ec(256), "localhost")), TlsVersion.TLS1_3, SUITES,
        new ServerTls.Clients(Optional.of(trust()), true));
    assertThrows(IOException.class, () -> handshake(server, client, _ -> {}));
    server.trust(TrustStore.parse(other.pem()));
    handshake(server, client, _ -> {});
    server.trust(trust()); // also nobody comes in by a session of before
    assertThrows(IOException.class, () -> handshake(server, client, _ -> {}));
  }

  @Test
  void whoAsksClientsForNothingGoesOnSo() throws Exception {
    ServerTls server = server(TlsVersion.TLS1_3, "localhost");
    server.trust(trust());
    assertEquals("TLSv1.3",
        handshake(server, ClientTls.of(Optional.of(trust()), Optional.empty()), _ -> {}).getProtocol());
  }

  @Test
  void aContextIsReplacedWhereItsIssuersAre() throws Exception {
    List<KeyEntry> keys = List.of(gate(TestKeys.ec(256), "localhost"));
    ServerTls server = ServerTls.of(keys, TlsVersion.TLS1_3, SUITES,
        new ServerTls.Clients(Optional.of(trust()), true));
    SSLContext before = server.context();
    server.trust(trust());
    assertSame(before, server.context());
    server.trust(TrustStore.parse(CertificateDraft.authority("other").pem()));
    assertNotSame(before, server.context());
    ServerTls open = ServerTls.of(keys, TlsVersion.TLS1_3, SUITES, ServerTls.Clients.ANY);
    SSLContext same = open.context();
    open.trust(trust());
    assertSame(same, open.context());
  }

  @Test
  void clientsAreAskedForCertificatesAsConfigured() throws Exception {
    List<KeyEntry> keys = List.of(gate(TestKeys.ec(256), "localhost"));
    assertEquals("false false", asked(keys, ServerTls.Clients.ANY));
    assertEquals("true false", asked(keys, new ServerTls.Clients(Optional.of(trust()), false)));
    assertEquals("false true", asked(keys, new ServerTls.Clients(Optional.of(trust()), true)));
  }

  private static String asked(List<KeyEntry> keys, ServerTls.Clients clients) throws KeyMaterialException {
    SSLParameters parameters = ServerTls.of(keys, TlsVersion.TLS1_3, SUITES, clients).parameters();
    return parameters.getWantClientAuth() + " " + parameters.getNeedClientAuth();
  }
}
