import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * Makes an archive that is the same in each build of two that the JVM wrote from the same classes:
 * {@code java SettledArchive.java ONE OTHER OUT}. They differ in the times of soft references only, milliseconds since
 * the machine was started, for which the JVM has no option; they are set to zero and the checksums to what they are
 * then. Any other difference is an error: the build would not be reproducible.
 */
final class SettledArchive {
  private static final int HEADER_CRC = 4;
  private static final int HEADER_SIZE = 12;
  private static final int REGIONS = 0x18;
  private static final int REGION_SIZE = 0x60;
  private static final int REGION_COUNT = 5;
  private static final int OFFSET = 0x18;
  private static final int USED = 0x28;
  /** No machine runs longer than that, in milliseconds, and no two archives are written further apart. */
  private static final long LONGEST = 20L * 365 * 24 * 3600 * 1000;
  private static final long APART = 3600 * 1000;

  private final ByteBuffer one;
  private final ByteBuffer other;

  private SettledArchive(Path one, Path other) throws IOException {
    this.one = ByteBuffer.wrap(Files.readAllBytes(one)).order(ByteOrder.LITTLE_ENDIAN);
    this.other = ByteBuffer.wrap(Files.readAllBytes(other)).order(ByteOrder.LITTLE_ENDIAN);
  }

  public static void main(String[] words) throws IOException {
    SettledArchive archives = new SettledArchive(Path.of(words[0]), Path.of(words[1]));
    try {
      archives.settle();
    } catch (IllegalStateException e) {
      System.err.println("build.sh: the AOT cache is not reproducible: " + e.getMessage()
          + " (if it takes the JVM a minute to write it, a thread of the JDK wakes up and changes it: try again while "
          + "nothing else runs)");
      System.exit(1);
    }
    Files.write(Path.of(words[2]), archives.one.array());
  }

  private void settle() {
    require(one.capacity() == other.capacity(), "its sizes are " + one.capacity() + " and " + other.capacity());
    require(headerCrc() == one.getInt(HEADER_CRC), "the JVM writes its header in another way");
    for (int region = REGIONS; region < REGIONS + REGION_COUNT * REGION_SIZE; region += REGION_SIZE) {
      settleRegion(region);
    }
    for (int at = headerSize(); at < one.capacity(); at++) {
      require(one.get(at) == other.get(at), "byte " + at + ", which is in no region");
    }
    one.putInt(HEADER_CRC, headerCrc());
    other.putInt(HEADER_CRC, one.getInt(HEADER_CRC));
    require(one.equals(other), "its headers differ");
  }

  private void settleRegion(int region) {
    int from = Math.toIntExact(one.getLong(region + OFFSET));
    int used = Math.toIntExact(one.getLong(region + USED));
    require(used == other.getLong(region + USED), "region " + region + " has two sizes");
    if (used == 0) {
      return;
    }
    require(crc(from, used) == one.getInt(region), "the JVM writes the region " + region + " in another way");
    for (int at = from; at + Long.BYTES <= from + used; at += Long.BYTES) {
      long time = one.getLong(at);
      if (time != other.getLong(at)) {
        require(isTime(time) && isTime(other.getLong(at)) && Math.abs(time - other.getLong(at)) < APART,
            "the word at byte " + at + " is " + time + " and " + other.getLong(at));
        one.putLong(at, 0);
        other.putLong(at, 0);
      }
    }
    one.putInt(region, crc(from, used));
    other.putInt(region, one.getInt(region));
  }

  private static boolean isTime(long word) {
    return word > 0 && word < LONGEST;
  }

  private int headerSize() {
    return one.getInt(HEADER_SIZE);
  }

  private int headerCrc() {
    return crc(HEADER_SIZE + Integer.BYTES, headerSize() - HEADER_SIZE - Integer.BYTES);
  }

  private int crc(int from, int length) {
    CRC32 crc = new CRC32();
    crc.update(one.array(), from, length);
    return (int) crc.getValue();
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalStateException(message);
    }
  }
}
