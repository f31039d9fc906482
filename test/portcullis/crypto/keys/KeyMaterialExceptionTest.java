package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

class KeyMaterialExceptionTest {
  private static final String FILE = "keys/gate.pem";
  private static final LocatedText PATH = new LocatedText() {
    @Override
    public String text() {
      return FILE;
    }

    @Override
    public Origin at(int offset, int length) {
      return LocatedText.of("file", FILE).at(offset, length);
    }

    @Override
    public String path() {
      return "tls.key_store";
    }
  };

  private static String reported(Consumer<Problems> report) {
    Problems problems = new Problems();
    report.accept(problems);
    return problems.sorted().stream().map(p -> p.severity() + "|" + p.path() + "|" + p.message() + "|" + p.hint())
        .collect(Collectors.joining("; "));
  }

  @Test
  void isAnErrorWithWhatWouldBeRight() {
    KeyMaterialException wrong = new KeyMaterialException("it is empty");
    assertEquals("ERROR|tls.key_store|it is empty|",
        reported(problems -> KeyMaterialException.report(wrong, PATH, problems)));
    assertEquals("ERROR|tls.key_store|it is empty|write a key to it",
        reported(problems -> KeyMaterialException.report(wrong, PATH, "write a key to it", problems)));
    assertEquals("ERROR|tls.key_store|no disk|",
        reported(problems -> KeyMaterialException.report(new IOException("no disk"), PATH, problems)));
  }

  @Test
  void whatMayBeThereOnAnotherHostIsAnErrorOfTheHost() {
    KeyMaterialException missing = KeyMaterialException.inaccessible("there is no such file");
    assertEquals("ERROR_ON_HOST|tls.key_store|there is no such file|services do not start without it",
        reported(problems -> KeyMaterialException.report(missing, PATH, problems)));
    assertEquals("ERROR_ON_HOST|tls.key_store|key store: there is no such file|services do not start without it, "
        + "write a key to it",
        reported(problems -> KeyMaterialException.report(missing.in("key store"), PATH, "write a key to it",
            problems)));
  }

  @Test
  void theFileIsNamedOnce() {
    KeyMaterialException wrong = new KeyMaterialException("it is empty");
    assertEquals("ERROR|tls.key_store|`keys/gate.pem`: it is empty|",
        reported(problems -> KeyMaterialException.reportFile(wrong, PATH, problems)));
    assertEquals("ERROR|tls.key_store|key store `keys/gate.pem`: it is empty|",
        reported(
            problems -> KeyMaterialException.reportFile(wrong.in("key store `keys/gate.pem`"), PATH, problems)));
    assertEquals("ERROR|tls.key_store|no disk|",
        reported(problems -> KeyMaterialException.reportFile(new IOException("no disk"), PATH, problems)));
    KeyMaterialException missing = KeyMaterialException.inaccessible("there is no such file");
    assertEquals("ERROR_ON_HOST|tls.key_store|`keys/gate.pem`: there is no such file|services do not start without it",
        reported(problems -> KeyMaterialException.reportFile(missing, PATH, problems)));
  }

  @Test
  void theWholePathIsMarked() {
    Problems problems = new Problems();
    KeyMaterialException.report(new KeyMaterialException("it is empty"), PATH, problems);
    Problem problem = problems.sorted().getFirst();
    Origin.InFile at = (Origin.InFile) problem.at();
    assertEquals(List.of(1, 1, FILE.length()), List.of(at.line(), at.column(), at.length()));
  }

  @Test
  void itIsAnOutcomeWithoutStackTrace() {
    KeyMaterialException error = new KeyMaterialException("it is empty");
    error.addSuppressed(new IOException("no disk"));
    assertEquals(0, error.getStackTrace().length);
    assertEquals(0, error.getSuppressed().length);
  }
}
