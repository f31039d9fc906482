package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** A package in the format of RPM 4, read without rpm: the strings and numbers of its header, and its files. */
record Rpm(Map<Integer, List<String>> strings, Map<Integer, List<Integer>> numbers, byte[] payload) {
  static final int NAME = 1000;
  static final int REQUIRES = 1049;
  static final int POST_INSTALL = 1024;
  static final int PRE_REMOVE = 1025;
  private static final int FILE_TIMES = 1034;
  private static final int FILE_FLAGS = 1037;
  private static final int DIRECTORY_INDEXES = 1116;
  private static final int BASE_NAMES = 1117;
  private static final int DIRECTORY_NAMES = 1118;
  private static final int LEAD_BYTES = 96;
  private static final int MAGIC = 0x8eade801;
  private static final int MODE_DIRECTORY = 0x4000;
  private static final int MODE_LINK = 0xa000;

  static Rpm read(Path file) throws IOException {
    byte[] all = Files.readAllBytes(file);
    ByteBuffer bytes = ByteBuffer.wrap(all).position(LEAD_BYTES);
    Rpm signature = header(bytes);
    assertEquals(0, signature.strings.getOrDefault(NAME, List.of()).size());
    bytes.position((bytes.position() + 7) / 8 * 8);
    Rpm header = header(bytes);
    byte[] payload = new byte[bytes.remaining()];
    bytes.get(payload);
    return new Rpm(header.strings, header.numbers, payload);
  }

  private static Rpm header(ByteBuffer bytes) {
    assertEquals(MAGIC, bytes.getInt());
    bytes.getInt();
    int entries = bytes.getInt();
    int size = bytes.getInt();
    int store = bytes.position() + 16 * entries;
    Map<Integer, List<String>> strings = new HashMap<>();
    Map<Integer, List<Integer>> numbers = new HashMap<>();
    for (int i = 0; i < entries; i++) {
      int tag = bytes.getInt();
      int type = bytes.getInt();
      ByteBuffer data = bytes.duplicate().position(store + bytes.getInt());
      int count = bytes.getInt();
      for (int j = 0; j < count; j++) {
        switch (type) {
          case 4 -> numbers.computeIfAbsent(tag, _ -> new ArrayList<>()).add(data.getInt());
          case 6, 8, 9 -> strings.computeIfAbsent(tag, _ -> new ArrayList<>()).add(string(data));
          default -> {
          }
        }
      }
    }
    bytes.position(store + size);
    return new Rpm(strings, numbers, new byte[0]);
  }

  private static String string(ByteBuffer data) {
    int start = data.position();
    while (data.get() != 0) {
      // to the end of the string
    }
    return new String(data.array(), start, data.position() - start - 1, StandardCharsets.UTF_8);
  }

  /** Returns the paths of files and folders with any of these flags; of all with -1. */
  List<String> paths(int flags) {
    List<String> out = new ArrayList<>();
    List<String> names = strings.get(BASE_NAMES);
    for (int i = 0; i < names.size(); i++) {
      if (flags == -1 || (numbers.get(FILE_FLAGS).get(i) & flags) != 0) {
        out.add(strings.get(DIRECTORY_NAMES).get(numbers.get(DIRECTORY_INDEXES).get(i)) + names.get(i));
      }
    }
    return out;
  }

  /**
   * Unpacks its files, an archive of cpio with headers in hexadecimal digits, with their permissions and, from the
   * header of the package, their times.
   */
  void extract(Path folder) throws IOException {
    try (var in = new DataInputStream(new GZIPInputStream(new ByteArrayInputStream(payload)))) {
      while (entry(in, folder)) {
        // the next one
      }
    }
    List<String> paths = paths(-1);
    for (int i = 0; i < paths.size(); i++) {
      Path file = folder.resolve(paths.get(i).substring(1));
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        Files.setLastModifiedTime(file,
            FileTime.fromMillis(Integer.toUnsignedLong(numbers.get(FILE_TIMES).get(i)) * 1000));
      }
    }
  }

  private static boolean entry(DataInputStream in, Path folder) throws IOException {
    String head = new String(in.readNBytes(110), StandardCharsets.US_ASCII);
    assertEquals("070701", head.substring(0, 6));
    int mode = field(head, 1);
    int size = field(head, 6);
    int nameLength = field(head, 11);
    String name = new String(in.readNBytes(nameLength), StandardCharsets.UTF_8).substring(0, nameLength - 1);
    in.skipNBytes(-(110 + nameLength) & 3);
    if (name.equals("TRAILER!!!")) {
      return false;
    }
    byte[] content = in.readNBytes(size);
    in.skipNBytes(-size & 3);
    Path file = folder.resolve(name.replaceFirst("^\\.?/", ""));
    Files.createDirectories(file.getParent());
    if ((mode & 0xf000) == MODE_DIRECTORY) {
      Files.createDirectories(file);
    } else if ((mode & 0xf000) == MODE_LINK) {
      Files.createSymbolicLink(file, Path.of(new String(content, StandardCharsets.UTF_8)));
    } else {
      Files.write(file, content);
      Files.setPosixFilePermissions(file,
          PosixFilePermissions.fromString((mode & 0111) == 0 ? "rw-r--r--" : "rwxr-xr-x"));
    }
    return true;
  }

  private static int field(String head, int number) {
    return Integer.parseUnsignedInt(head.substring(6 + 8 * number, 14 + 8 * number), 16);
  }
}
