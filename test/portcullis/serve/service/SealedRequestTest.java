package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.PeerCertificates;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.AnswerMemory;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.rule.ConfigurationDigests;

/** What the encrypted part of a line in the decision log has. */
class SealedRequestTest {
  private static Request request(Body body) throws Exception {
    return new Request("PUT", "https", Authority.parse("a.test:81").orElseThrow(), RequestPath.read("/x%20y"), "q=1",
        Fields.of("A", "1").with("A", "2"), List.of("192.0.2.1", "127.0.0.1"), body);
  }

  private static RemoteAnswers answers() {
    return new RemoteAnswers(new AnswerMemory(RemoteAnswers.MAX_BYTES));
  }

  @Test
  void hasEverythingThatTheDecisionDependsOn() throws Exception {
    Subject user = new Subject("ann", Value.dict("role", Value.of("cook")));
    Subject device = new Subject("d1", new Value.Dict(Map.of()));
    Subject both = Subject.of(new TreeMap<>(Map.of(Subject.DEFAULT, user, "device", device)));
    RemoteAnswers answers = answers();
    answers.step("asks");
    answers.add("GET", "http://b.test/", "k1", 200, Map.of("C", List.of("d")), new byte[] {1});
    answers.add("0a", new byte[] {2});
    Body body = Body.of(new byte[] {3}, "text/plain");
    body.bytes();
    assertEquals("""
        {"answers":[{"body":"AQ==","headers":{"C":["d"]},"key":"k1","method":"GET","status":200,"step":"asks",\
        "url":"http://b.test/"}],"body":"Aw==","cached":[{"key":"0a","value":"Ag=="}],"certificates":{},\
        "clients":["192.0.2.1","127.0.0.1"],"effect":{"authenticators":"aa","files":"cc","rule":"bb"},\
        "headers":[["A","1"],["A","2"]],"host":"a.test:81","method":"PUT",\
        "path":"/x%20y","query":"q=1","scheme":"https","subject":{"attributes":{"role":"cook"},"id":"ann",\
        "principals":{"default":{"attributes":{"role":"cook"},"id":"ann","principals":{}},\
        "device":{"attributes":{},"id":"d1","principals":{}}}}}""",
        SealedRequest.json(request(body), Optional.of(both), answers,
            new ConfigurationDigests.Effect("aa", "bb", "cc", List.of())));
  }

  @Test
  void hasTheCertificatesOfTheClient() throws Exception {
    TestCertificate one = CertificateDraft.of("one").make();
    Request bare = request(Body.of(new byte[0], ""));
    Request own = bare.with(new PeerCertificates(() -> List.of(one.certificate()), Optional.empty(), false));
    assertTrue(SealedRequest.json(own, Optional.empty(), answers(), ConfigurationDigests.Effect.UNKNOWN).contains(
        ",\"certificates\":{\"tls\":[\"" + Base64.getEncoder().encodeToString(one.der()) + "\"]},"));
    Request reported = bare.with(new PeerCertificates(List::of, Optional.of("a%20b"), true));
    assertTrue(SealedRequest.json(reported, Optional.empty(), answers(), ConfigurationDigests.Effect.UNKNOWN)
        .contains(",\"certificates\":{\"proxy\":true,\"reported\":\"a%20b\"},"));
    assertTrue(SealedRequest.json(bare, Optional.empty(), answers(), ConfigurationDigests.Effect.UNKNOWN)
        .contains(",\"certificates\":{},"), "it has none");
  }

  @Test
  void hasNoBodyThatIsTooLong() throws Exception {
    Body most = Body.of(new byte[RemoteAnswers.MAX_BYTES], "text/plain");
    Body more = Body.of(new byte[RemoteAnswers.MAX_BYTES + 1], "text/plain");
    most.bytes();
    more.bytes();
    assertTrue(SealedRequest.json(request(most), Optional.empty(), answers(), ConfigurationDigests.Effect.UNKNOWN)
        .contains("\"body\":\"AAAA"));
    assertFalse(SealedRequest.json(request(more), Optional.empty(), answers(), ConfigurationDigests.Effect.UNKNOWN)
        .contains("\"body\""));
  }

  @Test
  void hasNoSubjectOrBodyBeforeTheyAreRead() throws Exception {
    assertEquals("""
        {"answers":[],"cached":[],"certificates":{},\
        "clients":["192.0.2.1","127.0.0.1"],"headers":[["A","1"],["A","2"]],"host":"a.test:81",\
        "method":"PUT","path":"/x%20y","query":"q=1","scheme":"https"}""",
        SealedRequest.json(request(Body.of(new byte[] {3}, "text/plain")), Optional.empty(), answers(),
            ConfigurationDigests.Effect.UNKNOWN));
  }
}
