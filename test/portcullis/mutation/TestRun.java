package portcullis.mutation;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherExecutionRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes in this process, one after the other. It reads names of files with lists of them, a line each.
 * {@code cover LINES OUT FOLDER...} records which lines each class of a list runs, with its own class loader, and
 * prints for each list the tests that fail. {@code notice FOLDER...} prints for each list the first test that fails
 * twice, or an empty line, and before that each class that it begins with, after {@value #BEGUN}; the folders are
 * loaded again for every list, so that the process and its compiled classes of the JDK serve many changes. A test that
 * also fails without the first folder, the one with the change, has been disturbed by an earlier change: that prints
 * {@value #DISTURBED}.
 */
public final class TestRun {
  static final String DISTURBED = "disturbed";
  static final String BEGUN = "> ";

  private final Launcher launcher = LauncherFactory.create();
  private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final PrintStream out;

  private TestRun(PrintStream out) {
    this.out = out;
  }

  public static void main(String... words) throws Exception {
    PrintStream out = System.out;
    System.setOut(new PrintStream(PrintStream.nullOutputStream()));
    System.setErr(System.out);
    TestRun run = new TestRun(out);
    int status = 1;
    try {
      List<String> all = List.of(words);
      boolean covers = words[0].equals("cover");
      List<String> folders = all.subList(covers ? 3 : 1, all.size());
      System.setProperty("java.class.path",
          String.join(":", folders) + ":" + System.getProperty("java.class.path")); // for the processes of tests
      if (covers) {
        run.cover(Integer.parseInt(words[1]), Path.of(words[2]), folders);
      } else {
        run.notice(folders);
      }
      status = 0;
    } finally {
      out.flush();
      Runtime.getRuntime().halt(status);
    }
  }

  private void cover(int lines, Path file, List<String> folders) throws Exception {
    Probe.begin(lines);
    try (BufferedWriter rows = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String list = input.readLine(); list != null; list = input.readLine()) {
        out.println(String.join(", ", cover(Files.readAllLines(Path.of(list)), rows, folders)));
        out.flush();
      }
    }
  }

  /** The tests that fail. */
  private List<String> cover(List<String> tests, BufferedWriter rows, List<String> folders) throws IOException {
    List<String> failing = new ArrayList<>();
    for (String line : tests) {
      String test = line.substring(0, line.indexOf(' '));
      try (Loaded classes = new Loaded(folders)) {
        Probe.taken();
        long begin = System.nanoTime();
        Optional<String> failed = failed(classes.select(test));
        BitSet ran = Probe.taken();
        if (failed.isPresent() && failed(classes.select(test)).isPresent()) {
          ran.clear(); // it would seem to notice every change
          failing.add(failed.get());
        }
        rows.write(new Coverage.Row(test, line.substring(test.length() + 1), (System.nanoTime() - begin) / 1_000_000,
            ran) + "\n");
        rows.flush();
      }
    }
    return failing;
  }

  private void notice(List<String> folders) throws IOException {
    boolean first = true;
    for (String list = input.readLine(); list != null; list = input.readLine()) {
      String noticed = noticed(folders, Files.readAllLines(Path.of(list)), first);
      first = false;
      out.println(noticed);
      out.flush();
    }
  }

  private String noticed(List<String> folders, List<String> tests, boolean first) throws IOException {
    try (Loaded classes = new Loaded(folders)) {
      for (String test : tests) {
        out.println(BEGUN + test);
        out.flush();
        Optional<String> failed = failed(classes.select(test)).flatMap(_ -> failed(classes.select(test)));
        if (failed.isPresent()) {
          return !first && failsAnyway(folders.subList(1, folders.size()), test) ? DISTURBED : failed.get();
        }
      }
      return "";
    }
  }

  private boolean failsAnyway(List<String> unchanged, String test) throws IOException {
    try (Loaded classes = new Loaded(unchanged)) {
      return failed(classes.select(test)).isPresent();
    }
  }

  /**
   * Classes of the program and of its tests, with what they leave behind in the JDK. Their loader is never closed: the
   * JDK may go on to use classes of theirs, as its default TLS context.
   */
  private static final class Loaded implements AutoCloseable {
    private final URLClassLoader loader;

    Loaded(List<String> folders) throws IOException {
      URL[] urls = new URL[folders.size()];
      for (int i = 0; i < urls.length; i++) {
        urls[i] = Path.of(folders.get(i)).toUri().toURL();
      }
      loader = new URLClassLoader(urls, TestRun.class.getClassLoader());
      Thread.currentThread().setContextClassLoader(loader);
    }

    DiscoverySelector select(String test) {
      return DiscoverySelectors.selectClass(loader, test);
    }

    /** Takes the security providers away that they have registered. */
    @Override
    public void close() {
      for (Provider provider : Security.getProviders()) {
        if (loader.equals(provider.getClass().getClassLoader())) {
          Security.removeProvider(provider.getName());
        }
      }
    }
  }

  /** The first test of the class that fails. */
  private Optional<String> failed(DiscoverySelector selector) {
    LauncherDiscoveryRequest tests = LauncherDiscoveryRequestBuilder.request().selectors(selector)
        .configurationParameter("junit.jupiter.execution.timeout.default", "120s").build();
    CancellationToken token = CancellationToken.create();
    AtomicReference<String> first = new AtomicReference<>();
    LauncherExecutionRequest request = LauncherExecutionRequestBuilder.request(tests).cancellationToken(token)
        .listeners(new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED && first.compareAndSet(null, name(test))) {
              token.cancel();
            }
          }
        }).build();
    launcher.execute(request);
    return Optional.ofNullable(first.get());
  }

  private static String name(TestIdentifier test) {
    return test.getSource().map(Object::toString).filter(s -> s.startsWith("MethodSource"))
        .map(s -> s.replaceAll(".*className = '([^']*)'.*methodName = '([^']*)'.*", "$1#$2"))
        .orElse(test.getUniqueId());
  }
}
