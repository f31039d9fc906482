package portcullis.cli;

import java.util.List;
import java.util.Map;
import portcullis.crypto.keys.SystemTls;

/** The program's entry: finds the command and ends with its exit status, 0 good, 1 errors found, 2 wrong use. */
public final class Main {
  /** Variables with options of the JVM, which may begin recordings or agents: those end in hooks. */
  private static final List<String> OPTIONS = List.of("PORTCULLIS_JAVA_OPTIONS", "JDK_JAVA_OPTIONS",
      "JAVA_TOOL_OPTIONS");

  private Main() {}

  public static void main(String[] words) {
    Map<String, String> variables = System.getenv();
    boolean hooks = OPTIONS.stream().anyMatch(variables::containsKey);
    Console console = new Console(System.out, System.err, Terminal.colours(variables));
    SystemTls.install(variables);
    int status = new Commands(console).run(List.of(words));
    System.out.flush();
    System.err.flush();
    if (hooks) {
      System.exit(status);
    }
    // what is to be closed is closed; `exit` would look for a logger in each jar first, which takes 20 ms
    Runtime.getRuntime().halt(status);
  }
}
