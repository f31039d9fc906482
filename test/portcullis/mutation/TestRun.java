package portcullis.mutation;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
 * Runs the test classes of a list in this process, one after the other: {@code cover LINES OUT FOLDER... -- LIST} notes
 * which lines each runs, with classes loaded anew for each; {@code notice LIST} ends with the first that fails twice
 * and prints it.
 */
public final class TestRun {
  private final Launcher launcher = LauncherFactory.create();
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
      if (words[0].equals("cover")) {
        int mark = all.indexOf("--");
        run.cover(Integer.parseInt(words[1]), Path.of(words[2]), all.subList(3, mark),
            all.subList(mark + 1, all.size()));
      } else {
        run.notice(Files.readAllLines(Path.of(words[1])));
      }
      status = 0;
    } finally {
      out.flush();
      Runtime.getRuntime().halt(status);
    }
  }

  private void cover(int lines, Path file, List<String> folders, List<String> lists) throws Exception {
    URL[] urls = new URL[folders.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = Path.of(folders.get(i)).toUri().toURL();
    }
    Probe.begin(lines);
    try (BufferedWriter rows = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String line : Files.readAllLines(Path.of(lists.getFirst()))) {
        String test = line.substring(0, line.indexOf(' '));
        try (URLClassLoader classes = new URLClassLoader(urls, TestRun.class.getClassLoader())) {
          Thread.currentThread().setContextClassLoader(classes);
          Probe.taken();
          long begin = System.nanoTime();
          Optional<String> failed = failed(DiscoverySelectors.selectClass(classes, test));
          BitSet ran = Probe.taken();
          if (failed.isPresent() && failed(DiscoverySelectors.selectClass(classes, test)).isPresent()) {
            ran.clear(); // it would seem to notice every change
            out.println("fails without a change, so it is left out: " + failed.get());
          }
          rows.write(new Coverage.Row(test, line.substring(test.length() + 1), (System.nanoTime() - begin) / 1_000_000,
              ran) + "\n");
        }
      }
    }
  }

  private void notice(List<String> tests) throws IOException {
    for (String test : tests) {
      Optional<String> failed = failed(DiscoverySelectors.selectClass(test));
      if (failed.isPresent() && failed(DiscoverySelectors.selectClass(test)).isPresent()) {
        out.println(failed.get());
        return;
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
