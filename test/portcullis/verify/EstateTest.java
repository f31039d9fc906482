package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.replay.Call;
import portcullis.serve.service.DryRun;

/** What is found in a public estate of rules. */
class EstateTest {
  @TempDir
  private Path folder;
  private Estate estate;

  @BeforeEach
  void copy() {
    estate = Estate.in(folder);
  }

  private List<Finding> findings(String kind) {
    Problems problems = new Problems();
    return Analysis.run(estate.settings(), Enforcement.NONE, Analysis.Selection.EVERYTHING, problems)
        .orElseThrow(() -> new AssertionError(Estate.text(problems))).findings().stream()
        .filter(finding -> finding.kind().equals(kind)).toList();
  }

  @Test
  void routesForWritingAreOpenToEverybody() {
    List<String> writes = findings(PublicAccess.KIND).stream()
        .filter(finding -> finding.severity() == Finding.Severity.ERROR).map(Finding::message).toList();
    assertTrue(writes.contains("DELETE /committees/:uid/leave is allowed without valid credentials"),
        writes.toString());
  }

  /** A service that knows the administrator only: its answer to the request of the finding is another one. */
  @Test
  void requestsOfTaintedTemplatesTurnTheDecision() throws ValueException {
    List<Finding> tainted = findings(TaintedTemplates.KIND);
    assertTrue(tainted.size() >= 40, () -> tainted.size() + " findings");
    try (OfflineDecider kernel = new OfflineDecider(estate.settings(), Enforcement.NONE)) {
      assertTrue(kernel.load(new Problems()));
      for (Finding finding : tainted) {
        String usual = finding.request().replace("%22%2C%22user%22%3A%22user%3Aadmin", "")
            .replace("\\\",\\\"user\\\":\\\"user:admin", "");
        assertFalse(decided(kernel, usual), usual);
        assertTrue(decided(kernel, finding.request()), finding.request());
      }
    }
  }

  private static boolean decided(OfflineDecider kernel, String request) throws ValueException {
    List<String> words = new ArrayList<>();
    for (String word : request.split(" (?=[-'h])")) {
      words.add(word.startsWith("'") ? word.substring(1, word.length() - 1) : word);
    }
    words.addFirst("-X");
    DryRun.Draft draft = TestRequest.curl(words);
    OfflineDecider.Result receivedCalls = kernel.run(draft, Optional.empty(), 0, List.of(), Optional.empty());
    Call call = receivedCalls.calls().calls().stream().filter(one -> one.step().equals("openfga_check")).findFirst()
        .orElseThrow(() -> new AssertionError(request + ": " + receivedCalls.calls().calls()));
    Value.Dict key = (Value.Dict) ((Value.Dict) Json.read(call.body())).get("tuple_key").orElseThrow();
    boolean known = key.get("user").filter(Value.of("user:admin")::equals).isPresent();
    Stub answer = new Stub(Origin.BUILT_IN, Optional.of("openfga_check"), Optional.empty(), Optional.empty(), 200,
        Fields.of(List.of(new Field("Content-Type", "application/json"))),
        ("{\"allowed\":" + known + "}").getBytes(StandardCharsets.UTF_8), Duration.ZERO, Optional.empty());
    return kernel.run(draft, Optional.empty(), 0, List.of(answer), Optional.empty()).outcome().allowed();
  }

  @Test
  void onlyStatedFindingsAreNotes() {
    assertEquals(List.of(), findings(PublicAccess.UNDECIDED).stream().filter(Finding::counts).toList());
  }
}
