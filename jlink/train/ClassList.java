import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.ConstantPool;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Writes the class list of a training run so that it does not depend on the order of its threads:
 * {@code java -cp BUILD:JARS ClassList LIST SOMETIMES}. The classes are sorted, those of the file SOMETIMES, which only
 * some runs load, are always among them, or never where a minus is in front of them, and instead of the constants that
 * the run resolved all of each class are listed: the JVM resolves those whose classes are in the archive.
 */
final class ClassList {
  private ClassList() {}

  public static void main(String[] words) throws IOException {
    SortedSet<String> entries = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of(words[0]))) {
      if (!line.startsWith("#") && !line.startsWith("@cp ")) {
        entries.add(line.replaceFirst(" id: .*", ""));
      }
    }
    for (String line : Files.readAllLines(Path.of(words[1]))) {
      if (line.startsWith("-")) {
        entries.remove(line.substring(1));
      } else if (!line.startsWith("#")) {
        entries.add(line);
      }
    }
    List<String> out = new ArrayList<>(entries);
    for (String entry : entries) {
      if (!entry.startsWith("@") && !entry.startsWith("[") && !entry.endsWith("$Holder")) {
        String constants = constants(entry);
        if (!constants.isEmpty()) {
          out.add("@cp " + entry + " " + constants);
        }
      }
    }
    out.forEach(System.out::println);
  }

  /** Returns the indexes of what the JVM can resolve beforehand; empty for a class that it made itself. */
  private static String constants(String name) throws IOException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      if (in == null) {
        return "";
      }
      ConstantPool pool = ClassFile.of().parse(in.readAllBytes()).constantPool();
      return StreamSupport.stream(pool.spliterator(), false).filter(ClassList::isResolvable)
          .map(entry -> Integer.toString(entry.index())).collect(Collectors.joining(" "));
    }
  }

  private static boolean isResolvable(PoolEntry entry) {
    return entry instanceof ClassEntry || entry instanceof MemberRefEntry || entry instanceof InvokeDynamicEntry;
  }
}
