package portcullis.migration;

import java.util.ArrayList;
import java.util.List;
import portcullis.config.Node;
import portcullis.lang.source.Origin;

/** Collects findings in the order of the documents; for one thread. */
final class Findings {
  private final List<MigrationFinding> found = new ArrayList<>();

  void add(Difference difference, Origin at, String path, String what) {
    found.add(new MigrationFinding(difference, at, path, what));
  }

  void add(Difference difference, Node node) {
    add(difference, node.at(), node.path(), node instanceof Node.Scalar text ? text.text() : "");
  }

  List<MigrationFinding> all() {
    return List.copyOf(found);
  }
}
