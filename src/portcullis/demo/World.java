package portcullis.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.apikeys.ApiKeyEdit;

/**
 * The running services around the proxy. Their keys are generated at startup; {@link #close} stops them and removes the
 * keys.
 */
public final class World implements AutoCloseable {
  /** The hash of the password {@value Guide#PASSWORD}, which the pages show. */
  private static final String USERS = """
      %s:
        password: "$argon2id$v=19$m=19456,t=2,p=1$+dzlTDnMp34FZ1Hxznwzkw$7rp6mrGzMdL7vEhLW0t9r2TfRnWBzLPfimEO0eutaZQ"
      """.formatted(Guide.USER);

  private final Guide guide;
  private final PrivateFolder folder;
  private final Map<String, Path> files = new LinkedHashMap<>();
  private final List<Site> sites = new ArrayList<>();
  private final Insight insight = new Insight();

  private World(Guide guide, PrivateFolder folder) {
    this.guide = guide;
    this.folder = folder;
  }

  /**
   * Starts the services.
   *
   * @param config the configuration file, to be shown
   * @param rules the rule file, to be shown
   * @throws IOException if a port or a file is not available, with a message for the user
   */
  public static World start(Addresses addresses, Path config, Path rules) throws IOException {
    DemoKey proxyKey = DemoKey.make();
    ApiKeyEdit.Made apiKey = apiKey();
    PrivateFolder folder = PrivateFolder.make();
    World world = new World(new Guide(addresses, config.toString(), rules.toString(), apiKey.key()), folder);
    try {
      world.write("KEY_STORE", "proxy.pem", proxyKey.pem());
      world.write("SESSION_KEYS", "session.keys", sessionKey());
      world.write("USERS", "users.yaml", USERS);
      world.write("API_KEYS", "api-keys.yaml", apiKey.file());
      world.open(proxyKey);
      return world;
    } catch (IOException e) {
      world.close();
      throw e;
    }
  }

  /** Returns a key of 256 bits in hexadecimal digits. */
  private static String sessionKey() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes) + "\n";
  }

  private static ApiKeyEdit.Made apiKey() {
    try {
      return ApiKeyEdit.add(Optional.empty(), new ApiKeyEdit.Draft("demo", "forklift", Map.of("name", "Forklift"),
          List.of("stock"), List.of(), Optional.empty(), Optional.empty()), Instant.now(), new SecureRandom());
    } catch (ApiKeyEdit.EditException e) {
      throw new IllegalStateException("a new file can be written", e);
    }
  }

  private void write(String variable, String name, String text) throws IOException {
    files.put("PORTCULLIS_DEMO_" + variable, folder.write(name, text));
  }

  private void open(DemoKey proxyKey) throws IOException {
    Addresses at = guide.addresses();
    Issuer issuer = new Issuer(DemoKey.make().key(), "http://" + Addresses.authority(at.identity()),
        InstantSource.system());
    sites.add(Site.open("the upstream", at.upstream(), new Upstream(proxyKey.key(), guide, insight)));
    LoginProvider provider = new LoginProvider(issuer, List.of(at.proxyUrl(), "http://localhost:" + at.proxy()));
    sites
        .add(Site.open("the identity service", at.identity(), new Identity(provider, issuer, insight)));
    sites.add(Site.open("the relation service", at.relations(), new RelationService(Relations.OF_THE_WORLD)));
  }

  /** Returns what to try. */
  public Guide guide() {
    return guide;
  }

  /** Returns what the pages show of the proxy. */
  public Insight insight() {
    return insight;
  }

  /** Returns the environment variables that the configuration and the rules of the demonstration refer to. */
  public Map<String, String> variables() {
    Addresses at = guide.addresses();
    Map<String, String> out = new LinkedHashMap<>();
    out.put("PORTCULLIS_DEMO_PORT", Integer.toString(at.proxy()));
    out.put("PORTCULLIS_DEMO_MANAGEMENT_PORT", Integer.toString(at.management()));
    out.put("PORTCULLIS_DEMO_UPSTREAM", Addresses.authority(at.upstream()));
    out.put("PORTCULLIS_DEMO_IDENTITY", Addresses.authority(at.identity()));
    out.put("PORTCULLIS_DEMO_RELATIONS", Addresses.authority(at.relations()));
    files.forEach((variable, file) -> out.put(variable, file.toString()));
    out.put("PORTCULLIS_DEMO_RULES", guide.rules());
    return out;
  }

  /** Stops the services and removes the files of this run; may be called more than once. */
  @Override
  public void close() {
    sites.forEach(Site::close);
    removeFiles();
  }

  /** Removes the files of this run only; all of them have been read once the proxy listens. */
  public void removeFiles() {
    folder.close();
  }
}
