package portcullis.floors;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The floors of the house: which packages there are, and which others each may use, namely those of lower floors. */
record Floors(Map<String, Integer> heights) {
  static final int MAX_LINES = 400;

  private static final Set<String> DRAWERS = Set.of("util", "common", "core", "impl", "helper", "manager");

  private static final Pattern NOT_CODE = Pattern.compile("""
            \"""(?:[^"\\\\]++|\\\\.|"(?!""))*+\""" | "(?:[^"\\\\\\n]++|\\\\.)*+" | '(?:[^'\\\\\\n]++|\\\\.)*+'
            | //[^\\n]*+ | /\\*[\\s\\S]*?\\*/""", Pattern.COMMENTS);

  private static final Pattern USE = Pattern.compile("\\bportcullis((?:\\s*\\.\\s*[a-z]\\w*+(?!\\s*\\())+)");

  Floors {
    heights = Map.copyOf(heights);
  }

  /** Reads a table with one line per floor, the ground first, and the names of its packages between spaces. */
  static Floors of(String table) {
    var heights = new HashMap<String, Integer>();
    for (var line : table.lines().toList()) {
      int height = heights.isEmpty() ? 0 : 1 + heights.values().stream().max(Integer::compare).orElseThrow();
      for (var name : line.split(" ")) {
        if (heights.put(name, height) != null) {
          throw new IllegalArgumentException(name + " stands on two floors");
        }
      }
    }
    return new Floors(heights);
  }

  /** What is wrong with a source file at {@code path}, seen from the root of the sources; empty when nothing is. */
  List<String> complaints(Path path, String text) {
    var found = new ArrayList<String>();
    complaintOfLength(path, text).ifPresent(found::add);
    int names = path.getNameCount();
    if (names < 3 || names > 4 || !path.startsWith("portcullis")) {
      found.add(path + ": a source file is portcullis/ROOM/FILE.java or portcullis/ROOM/PACKAGE/FILE.java");
      return found;
    }
    var last = path.getName(names - 2).toString();
    var name = path.subpath(1, names - 1).toString().replace('/', '.');
    if (DRAWERS.contains(last)) {
      found.add(path + ": `" + last + "` says nothing about what is in it");
    } else if (!heights.containsKey(name)) {
      found.add(path + ": package `" + name + "` stands on no floor");
    } else {
      forbidden(name, text).forEach(used -> found.add(path + ": " + name + " must not use " + used));
    }
    return found;
  }

  /** Complains of a file that is too long, source or test. */
  static Optional<String> complaintOfLength(Path path, String text) {
    long lines = text.lines().count();
    return lines <= MAX_LINES ? Optional.empty()
        : Optional.of(path + ": " + lines + " lines, " + MAX_LINES + " are the limit");
  }

  /** The packages that the code names, imported or written in full, and that are not below {@code name}. */
  private Set<String> forbidden(String name, String text) {
    var code = NOT_CODE.matcher(text).replaceAll(" ");
    int height = heights.get(name);
    return USE.matcher(code).results().map(use -> use.group(1).replaceAll("\\s", "").substring(1))
        .filter(used -> !used.equals(name) && heights.getOrDefault(used, height) >= height)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
