package portcullis.lang.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FunctionDocTest {
  @Test
  void everyFunctionIsDescribedOnce() {
    List<String> named = FunctionDoc.all().stream().map(FunctionDoc::name).sorted().toList();
    assertEquals(List.copyOf(new Declarations(Signatures.VARIABLES).functions()), named);
  }

  @Test
  void membersAreWrittenInFrontOfTheirFunctions() {
    assertEquals(List.of("list(string).join() string", "list(string).join(string) string"), FunctionDoc.all().stream()
        .filter(doc -> doc.name().equals("join")).findFirst().orElseThrow().signatures());
  }
}
