package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Decoder;
import portcullis.config.Yaml;
import portcullis.fixture.Expected;
import portcullis.http.client.ClientLimits;
import portcullis.http.server.ServerLimits;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.decision.ResponseSettings;

class ListenerSettingsTest {
  private final Problems problems = new Problems();

  private Optional<ListenerSettings> read(Decoder<ListenerSettings> decoder, String yaml) {
    return Yaml.read(new SourceFile("f", yaml), problems).flatMap(node -> decoder.decode(node, problems));
  }

  private ListenerSettings main(String yaml) {
    return read(ListenerSettings.main(false, false), yaml).orElseThrow(() -> new AssertionError(problems()));
  }

  private ListenerSettings management(String yaml) {
    return read(ListenerSettings.management(false), yaml).orElseThrow(() -> new AssertionError(problems()));
  }

  private String problems() {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("\n"));
  }

  @Test
  void defaultsOfTheMainService() {
    ListenerSettings settings = main("{}");
    assertEquals(4456, settings.port());
    assertEquals("", settings.host());
    assertEquals(new ListenerSettings.Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofMinutes(2),
        Optional.empty(), Optional.empty(), Optional.empty()), settings.timeouts());
    assertEquals(new ListenerSettings.Connections(0, 100, 100), settings.get(ListenerSettings.CONNECTIONS));
    assertEquals(new ListenerSettings.Buffers(4096, 4096), settings.get(ListenerSettings.BUFFER));
    assertEquals(Optional.empty(), settings.cors());
    assertEquals(Optional.empty(), settings.tls());
    assertFalse(settings.stripped().has("X-HTTP-Method"));
  }

  @ParameterizedTest
  @CsvSource({"0s, true", "5m, true", "300001ms, false"})
  void aShutdownIsDelayedForFiveMinutesAtMost(String delay, boolean accepted) {
    assertEquals(accepted, read(ListenerSettings.main(false, false), "{shutdown_delay: " + delay + "}").isPresent());
    assertEquals(accepted ? "" : "f:1:18: shutdown_delay: must be at most 5m, as `5s`", problems());
  }

  @Test
  void defaultsOfTheManagementService() {
    ListenerSettings settings = management("{}");
    assertEquals(4457, settings.port());
    assertEquals(List.of("localhost", "127.0.0.1", "[::1]"), settings.statusHosts());
    assertEquals(4460, management("{port: 4460}").port());
  }

  @Test
  void corsDefaultsAreHeimdalls() {
    assertEquals(Optional.of(new ListenerSettings.Cors(List.of("*"), List.of("GET", "POST", "HEAD"),
        List.of("Accept", "Content-Type", "X-Requested-With"), List.of(), false, Duration.ZERO)),
        main("{cors: {}}").cors());
    assertEquals(Optional.empty(), main("{cors: {}}").withoutCors().cors());
  }

  @Test
  void everyTimeoutIsReadFromItsOwnKey() {
    assertEquals(
        new ListenerSettings.Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3),
            Optional.of(Duration.ofSeconds(4)), Optional.of(Duration.ofSeconds(5)), Optional.of(Duration.ofSeconds(6))),
        main("{timeout: {read: 1s, write: 2s, idle: 3s, handshake: 4s, first_byte: 5s, head: 6s}}").timeouts());
  }

  @Test
  void limitsOfUpstreamConnections() {
    assertEquals(ClientLimits.DEFAULT.withConnections(Integer.MAX_VALUE, 100, 100), main("{}").upstreamLimits());
    assertEquals(ClientLimits.DEFAULT.withConnections(1, 3, 2),
        main("{connections_limit: {max_per_host: 1, max_idle: 2, max_idle_per_host: 3}}").upstreamLimits());
  }

  @Test
  void methodOverridesAreRemovedOnRequest() {
    for (String name : List.of("X-HTTP-Method-Override", "x-http-method", "X-Method-Override")) {
      assertTrue(main("{strip_method_overrides: true}").stripped().has(name), name);
      assertFalse(main("{strip_method_overrides: false}").stripped().has(name), name);
    }
    for (boolean strips : List.of(true, false)) {
      assertTrue(main("{strip_method_overrides: " + strips + "}").stripped().has("X-Portcullis-Debug"), "always");
    }
  }

  @Test
  void tlsMayBeRequired() {
    for (Decoder<ListenerSettings> decoder : List.of(ListenerSettings.main(true, false),
        ListenerSettings.management(true))) {
      assertTrue(read(decoder, "{}").isEmpty());
      assertTrue(problems().startsWith("f:1:1: `tls` is missing"), problems());
    }
  }

  @ParameterizedTest
  @CsvSource({"0.0.0.0/0, false", "::/0, false", "10.0.0.0/8, true", "10.0.0.7, true"})
  void networksOfEverybodyAreTrustedWhereAllowedOnly(String network, boolean always) {
    String yaml = "{trusted_proxies: ['" + network + "']}";
    assertEquals(always, read(ListenerSettings.main(false, false), yaml).isPresent());
    assertTrue(read(ListenerSettings.main(false, true), yaml).isPresent());
  }

  @Test
  void statusHostsAreNamesWithoutPorts() {
    assertEquals(List.of("admin.local", "[::1]"),
        management("{status_hosts: [Admin.Local, '[::1]']}").statusHosts());
    assertTrue(read(ListenerSettings.management(false), "{status_hosts: ['a:80']}").isEmpty());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "-", value = {
    "{console: {enabled: true}} | the console is enabled for everyone",
    "{host: 127.0.0.1, console: {enabled: true, execute: [{authenticator: a}]}} | -",
    "{host: '::1', console: {enabled: true, execute: [{authenticator: a}]}} | -",
    "{host: localhost, console: {enabled: true, execute: [{authenticator: a}]}} | -",
    "{console: {enabled: true, execute: [{authenticator: a}]}} | enabled on all addresses without TLS",
    "{host: 10.0.0.7, console: {enabled: true, execute: [{authenticator: a}]}} | on `10.0.0.7` without TLS",
    "{console: {execute: [{authenticator: a}]}} | -", "{host: 10.0.0.7, console: {enabled: false}} | -",
    "{host: 10.0.0.7, tls: {key_store: {path: k.pem}}, console: {enabled: true, execute: [{authenticator: a}]}} | -"})
  void unsafeConsolesAreRefused(String yaml, String problem) {
    assertEquals(problem == null, read(ListenerSettings.management(false), yaml).isPresent(), problems());
    assertTrue(problem == null || problems().contains(problem), problems());
  }

  @Test
  void keysOfTheOtherServiceAreUnknown() {
    assertTrue(read(ListenerSettings.management(false), "{trusted_proxies: []}").isEmpty());
    assertTrue(read(ListenerSettings.main(false, false), "{status_hosts: []}").isEmpty());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"port: %s | 1 | 65535", "connections_limit: {max_per_host: %s} | 0 | 1000000",
    "connections_limit: {max_idle: %s} | 0 | 1000000", "connections_limit: {max_idle_per_host: %s} | 0 | 1000000",
    "request_limit: {header_fields: %s} | 1 | 10000", "request_limit: {body_rate: %s} | 0 | 1000000",
    "request_limit: {in_flight: %s} | 0 | 1000000", "request_limit: {connections: %s} | 0 | 1000000",
    "request_limit: {connections_per_peer: %s} | 0 | 1000000", "request_limit: {peer_share: %s} | 0 | 100",
    "respond: {with: {accepted: {code: %s}}} | 200 | 599"})
  void numbersHaveBounds(String key, long least, long most) {
    for (long within : List.of(least, most)) {
      assertTrue(read(ListenerSettings.main(false, false), "{" + key.formatted(within) + "}").isPresent(),
          () -> within + " " + problems());
    }
    for (long beyond : List.of(least - 1, most + 1)) {
      assertTrue(read(ListenerSettings.main(false, false), "{" + key.formatted(beyond) + "}").isEmpty(), "" + beyond);
    }
  }

  @Test
  void everyLimitIsReadFromItsOwnKey() {
    assertEquals(new RequestLimits(1, 2, 3, 4, 5, 6, 7, 8),
        main("{request_limit: {header_fields: 1, body: 2B, read_body: 3B, body_rate: 4, in_flight: 5, connections: 6, "
            + "connections_per_peer: 7, peer_share: 8}}").limits());
    assertEquals(new ListenerSettings.Buffers(5, 6),
        main("{buffer_limit: {read: 5B, write: 6B}}").get(ListenerSettings.BUFFER));
    assertEquals(Optional.of(new ListenerSettings.Cors(List.of("http://a"), List.of("PUT"), List.of("A"), List.of("B"),
        true, Duration.ofSeconds(9))),
        main("{cors: {allowed_origins: [http://a], allowed_methods: [PUT], "
            + "allowed_headers: [A], exposed_headers: [B], allow_credentials: true, max_age: 9s}}").cors());
  }

  @Test
  void everyStatusIsReadFromItsOwnKey() {
    assertEquals(new ResponseSettings(true, new ResponseSettings.Codes(201, 202, 203, 204, 205, 206, 429, 207), true),
        main("{respond: {verbose: true, empty_headers: true, with: {accepted: {code: 201}, authentication_error: "
            + "{code: 202}, authorization_error: {code: 203}, communication_error: {code: 204}, precondition_error: "
            + "{code: 205}, argument_error: {code: 299}, no_rule_error: {code: 206}, internal_error: {code: 207}}}}")
            .respond());
    assertEquals(299, main("{respond: {with: {argument_error: {code: 299}}}}").respond().with().precondition());
  }

  @Test
  void serverLimitsAreThoseOfAllSettings() {
    ServerLimits limits = main("{timeout: {read: 1s, write: 2s, idle: 3s, handshake: 4s, first_byte: 5s, head: 6s}, "
        + "buffer_limit: {read: 1000B}, request_limit: {header_fields: 11, body: 12B, body_rate: 14, in_flight: 15, "
        + "connections: 16, connections_per_peer: 17, peer_share: 18}}").serverLimits();
    Expected.assertSection("limits.txt", "all settings", limits.toString().replace(", ", "\n"));
    Expected.assertSection("limits.txt", "no settings", main("{}").serverLimits().toString().replace(", ", "\n"));
    Expected.assertSection("limits.txt", "no times",
        main("{timeout: {read: 0s, write: 0s, idle: 0s, handshake: 0s, first_byte: 0s, head: 0s}, request_limit: "
            + "{peer_share: 100}}").serverLimits().toString().replace(", ", "\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{host: 'a b'}", "{trusted_proxies: [x]}", "{trusted_proxies: [0.0.0.0/0]}",
    "{cors: {allowed_methods: [OPTIONS]}}", "{request_limit: {read_body: 0B}}", "{port: x}", "{tls: {}}",
    "{respond: {with: {accepted: {}}}}", "{respond: {with: 5}}", "{tls: {key_store: {}}}", "{readings: x}"})
  void whatIsWrongSaysWhatWouldBeRight(String yaml) {
    assertTrue(read(ListenerSettings.main(false, false), yaml).isEmpty());
    Expected.assertSection("settings.txt", yaml, problems());
  }

  @ParameterizedTest
  @CsvSource({"0B, false", "1B, true", "1GB, true", "1025MB, false"})
  void bodiesThatRulesReadAreBounded(String size, boolean within) {
    assertEquals(within,
        read(ListenerSettings.main(false, false), "{request_limit: {read_body: " + size + "}}").isPresent());
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "65535, true", "65536, false"})
  void thePortOfTheManagementServiceHasBounds(int port, boolean within) {
    assertEquals(within, read(ListenerSettings.management(false), "{port: " + port + "}").isPresent());
  }

  @Test
  void statusHostsAreExplained() {
    assertTrue(read(ListenerSettings.management(false), "{status_hosts: ['a:80', '', 'b c']}").isEmpty());
    Expected.assertSection("settings.txt", "status hosts", problems());
  }

  @ParameterizedTest
  @CsvSource({"localhost, true", "LocalHost, true", "127.0.0.9, true", "::1, true", "[::1], true", "'', false",
    "192.0.2.1, false", "[::1, false", "[::1x, false", "x::1], false", "localhost.test, false", "[::2], false"})
  void aConsoleMayBeOpenWhereOnlyThisMachineReachesIt(String host, boolean open) {
    ConsoleSettings console = new ConsoleSettings(true, Optional.empty(), Optional.empty());
    assertEquals(open, console.isOpen(ListenerSettings.plain(host, 1)));
  }
}
