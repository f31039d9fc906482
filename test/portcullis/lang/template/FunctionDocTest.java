package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FunctionDocTest {
  @Test
  void everyFunctionIsDescribedOnce() {
    List<String> named = FunctionDoc.all().stream().flatMap(doc -> doc.names().stream()).sorted().toList();
    assertEquals(List.copyOf(new TreeSet<>(Functions.names())), named);
  }

  @Test
  void namesOfOneRowMeanTheSame() {
    for (FunctionDoc doc : FunctionDoc.all()) {
      Function first = Functions.named(doc.names().getFirst()).orElseThrow();
      for (String name : doc.names()) {
        assertEquals(first.parameters(), Functions.named(name).orElseThrow().parameters(), name);
      }
    }
  }

  @Test
  void functionsThatAreRefusedAreNotListed() {
    FunctionDoc.unsupported().keySet().forEach(name -> assertFalse(Functions.names().contains(name), name));
  }
}
