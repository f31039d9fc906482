package portcullis.lang.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/** sprig's functions for paths; those of the operating system follow Linux. */
final class PathFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("base osBase", a -> Item.of(base(a.text(0))), Param.TEXT)
      .with("dir osDir", a -> Item.of(clean(a.text(0).substring(0, a.text(0).lastIndexOf('/') + 1))), Param.TEXT)
      .with("clean osClean", a -> Item.of(clean(a.text(0))), Param.TEXT)
      .with("ext osExt", a -> Item.of(extension(a.text(0))), Param.TEXT)
      .with("isAbs osIsAbs", a -> Item.of(a.text(0).startsWith("/")), Param.TEXT)
      .functions();

  private PathFunctions() {}

  private static String base(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    if (end == 0) {
      return path.isEmpty() ? "." : "/";
    }
    return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
  }

  private static String extension(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot < 0 ? "" : name.substring(dot);
  }

  static String clean(String path) {
    boolean rooted = path.startsWith("/");
    Deque<String> kept = new ArrayDeque<>();
    for (String part : path.split("/")) {
      boolean up = part.equals("..");
      if (up && !kept.isEmpty() && !kept.getLast().equals("..")) {
        kept.removeLast();
      } else if (!part.isEmpty() && !part.equals(".") && !(up && rooted)) {
        kept.addLast(part);
      }
    }
    String joined = String.join("/", kept);
    return rooted ? "/" + joined : joined.isEmpty() ? "." : joined;
  }
}
