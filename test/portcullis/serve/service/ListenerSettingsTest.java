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
import portcullis.config.Decoder;
import portcullis.config.Yaml;
import portcullis.http.client.ClientLimits;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

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

  @Test
  void keysOfTheOtherServiceAreUnknown() {
    assertTrue(read(ListenerSettings.management(false), "{trusted_proxies: []}").isEmpty());
    assertTrue(read(ListenerSettings.main(false, false), "{status_hosts: []}").isEmpty());
  }
}
