package portcullis.cli;

import java.util.List;
import portcullis.crypto.keys.SystemTls;

/** The program's entry: finds the command and ends with its exit status, 0 good, 1 errors found, 2 wrong use. */
public final class Main {
  private Main() {}

  public static void main(String[] words) {
    Console console = new Console(System.out, System.err, Terminal.colours(System.getenv()));
    SystemTls.install(System.getenv());
    int status = new Commands(console).run(List.of(words));
    System.out.flush();
    System.err.flush();
    // what is to be closed is closed; `exit` would look for a logger in each jar first, which takes 20 ms
    Runtime.getRuntime().halt(status);
  }
}
