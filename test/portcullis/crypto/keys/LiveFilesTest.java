package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class LiveFilesTest {
  private static final Path A = Path.of("/keys/a.pem");
  private static final Path B = Path.of("/keys/b.pem");

  private final List<Path> read = new ArrayList<>();
  private final AtomicReference<String> content = new AtomicReference<>("first");
  private final LiveFiles<String> files = new LiveFiles<>(file -> {
    read.add(file);
    if (content.get().isEmpty()) {
      throw new KeyMaterialException("it is empty");
    }
    return file.getFileName() + " " + content.get();
  });

  @Test
  void aFileIsReadOnceForAllWhoOpenIt() throws KeyMaterialException {
    Supplier<String> one = files.open(A);
    assertSame(one, files.open(Path.of("/keys/../keys/./a.pem")));
    assertEquals(List.of(A), read);
    assertEquals("b.pem first", files.open(B).get());
    assertEquals("a.pem first", one.get());
  }

  @Test
  void theFilesInUseAreInOrder() throws KeyMaterialException {
    assertEquals(List.of(), files.files());
    for (String name : List.of("d", "b", "e", "a", "c")) {
      files.open(Path.of("/" + name));
    }
    assertEquals(List.of(Path.of("/a"), Path.of("/b"), Path.of("/c"), Path.of("/d"), Path.of("/e")), files.files());
  }

  @Test
  void theNewContentIsInUseOnceItsActionHasRun() throws KeyMaterialException {
    Supplier<String> one = files.open(A);
    Supplier<String> other = files.open(B);
    content.set("second");
    Runnable action = files.prepared(A);
    assertEquals("a.pem first", one.get());
    action.run();
    assertEquals("a.pem second", one.get());
    assertEquals("a.pem second", files.open(A).get());
    assertEquals("b.pem first", other.get());
  }

  @Test
  void whatCannotBeReadChangesNothing() throws KeyMaterialException {
    Supplier<String> one = files.open(A);
    content.set("");
    assertThrows(KeyMaterialException.class, () -> files.prepared(A));
    assertThrows(KeyMaterialException.class, () -> files.open(B));
    assertEquals("a.pem first", one.get());
    assertEquals(List.of(A), files.files());
  }

  @Test
  void aFileThatNobodyHasOpenedStaysSo() throws KeyMaterialException {
    files.prepared(A).run();
    assertEquals(List.of(), files.files());
  }
}
