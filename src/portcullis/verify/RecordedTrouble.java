package portcullis.verify;

import java.util.ArrayList;
import java.util.List;

/** Collects what a chain itself says of losses, of ends by force and of other programs. For one use. */
final class RecordedTrouble {
  private final List<String> interferences = new ArrayList<>();
  private long lost;
  private long lossLines;
  private long kills;
  private long torn;

  void take(AuditLine line) {
    line.interference().ifPresent(what -> interferences.add(line.at() + " says that the file before it " + what));
    long more = line.lost();
    lost += more;
    lossLines += more > 0 ? 1 : 0;
    kills += line.before().filter("killed"::equals).isPresent() ? 1 : 0;
    torn += line.before().filter("killed"::equals).isPresent() ? line.tornBytes() : 0;
  }

  /** Returns it for people. */
  List<String> notes() {
    List<String> out = new ArrayList<>(interferences);
    if (lost > 0) {
      out.add("lost, as " + count(lossLines, "line says", "lines say") + ": " + count(lost, "request or event",
          "requests or events"));
    }
    if (kills > 0) {
      out.add("the service was killed, or could not write its last line, "
          + count(kills, "time", "times") + (torn > 0 ? "; the starts after that removed " + count(torn, "byte",
              "bytes") + " of incomplete lines" : ""));
    }
    return out;
  }

  private static String count(long number, String one, String more) {
    return number + " " + (number == 1 ? one : more);
  }
}
