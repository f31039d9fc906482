package portcullis.serve.provider;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The names of files in a folder of rules that are not read. */
public final class RuleFileNames {
  /** How the names of copies and of disabled files end: those of operators, editors and package managers. */
  static final List<String> COPIES = List.of(".bak", ".disabled", ".off", ".old", ".orig", ".save", ".tmp", ".swp",
      ".swo", ".rpmsave", ".rpmnew", ".dpkg-old", ".dpkg-new", ".dpkg-dist");

  private RuleFileNames() {}

  /** Returns whether a file is read. */
  public static boolean isRead(Path file) {
    return !isHidden(file) && !isCopy(file);
  }

  /** Returns whether a file is hidden or a backup of an editor, which is ignored in silence. */
  static boolean isHidden(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith(".") || name.endsWith("~");
  }

  /** Returns whether a file that is not hidden has the name of a copy or of a disabled file, which is reported. */
  public static boolean isCopy(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return !isHidden(file) && COPIES.stream().anyMatch(name::endsWith);
  }
}
