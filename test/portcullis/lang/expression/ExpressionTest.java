package portcullis.lang.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

class ExpressionTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
      Subject.Attributes.age == 42                      | true
      Subject.Attributes.age + 1.0                      | 43
      Subject.Attributes['a-b'] == 1                    | true
      Subject.Attributes.`a-b` == 1                     | true
      '42' == dyn(42)                                   | false
      dyn('true') == true                               | false
      1 in [dyn('1')]                                   | false
      [[1], ['1']] == dyn([[1.0], [1]])                 | false
      dyn([1, {'a': 2u}]) == [1.0, {'a': 2}]            | true
      Subject.Attributes.big == 9007199254740993        | true
      Subject.Attributes.big == 9007199254740992        | false
      string(Subject.Attributes.big)                    | "9007199254740993"
      Request.Body.id == Request.Body().id              | true
      has(Request.Body.id) && has(Request.Body().none)  | true
      has(Subject.Attributes.nope)                      | false
      has(Subject.Attributes.nothing)                   | true
      Request.Header('x').contains('text')              | true
      type(Error) == authentication_error               | true
      type(Error) == precondition_error                 | true
      type(Error) == internal_error                     | false
      Subject.Attributes.groups.exists(g, g == 'ops')   | true
      ['10.1.2.3', 'x'] in networks(['10.0.0.0/8'])     | false
      '%s: %.1f'.format(['a', 1.25])                    | "a: 1.2"
      [3, 1, 2].sort().map(x, x * 2)                    | [2,4,6]
      b'hi'                                             | "aGk="
      '\\U0001f30d世世世\\n'.size()                       | 5
      """)
  void computes(String expression, String value) {
    assertEquals(value, Evaluated.of(expression));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
      '::ffff:10.1.2.3' in networks('10.0.0.0/8')                     | true
      '::FFFF:0a01:0203' in networks('10.0.0.0/8')                    | true
      '::ffff:11.1.2.3' in networks('10.0.0.0/8')                     | false
      '10.1.2.3' in networks('::ffff:10.0.0.0/104')                   | true
      '11.1.2.3' in networks('::ffff:10.0.0.0/104')                   | false
      ['10.1.2.3', '::ffff:10.1.2.3'] in networks(['10.0.0.0/8'])     | true
      """)
  void mappedAddressEqualsItsIpv4Address(String expression, String value) {
    assertEquals(value, Evaluated.of(expression));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
      Subject.Attributes.roles == 1        | no member `roles` in Subject.Attributes
      Subject.Attributes['roles'] == 1     | no member `roles` in Subject.Attributes
      Subject.Attributes.name.first == ''  | no member `first` in Subject.Attributes.name: it is string
      Subject.Attributes.groups[7] == ''   | no element 7 in Subject.Attributes.groups: it has 2
      Subject.Nme == ''                    | no member `Nme` in Subject
      Subject.Id == ''                     | no member `Id` in Subject, did you mean `ID`?
      Payload.ok == true                   | `Payload` is not known here
      Request.Header['x'] == ''            | takes one string
      Subject.Attributes.age + 1 == 43     | `+` does not take double and int (numbers of different types do not mix: \
      write `1.0` for `1`, or convert)
      Subject.Attributes.name.Query()      | no function `Query` in string
      'x'.matches(Subject.Attributes.name + '(') | invalid regular expression `jo(`: missing closing )
      1 / 0                                | division by zero
      '1.2.3.4' in networks('10.0.0.1')    | invalid network `10.0.0.1`: write it as `10.0.0.0/8`
      lists.range(3000000)                 | the expression takes too many steps
      """)
  void failuresNameTheirCause(String expression, String message) {
    assertEquals("fails: " + message, Evaluated.of(expression));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
      subject.ID == 'a'          | 1+7: no variable `subject`, did you mean `Subject`?
      'a'.Cookie('x') == ''      | 5+6: `Cookie` does not take string and string
      1.String() == ''           | 3+6: `String` does not take int
      1 == 1.0                   | 3+2: `==` does not take int and double, numbers of different types do not mix: \
      write `1.0` for `1`, or convert
      true && 'a'                | 9+3: a condition is bool, this is string
      'a'.contain('b')           | 5+7: no function `contain`, did you mean `contains`?
      math.pow(2, 3)             | 6+3: no function `math.pow`
      [1].all(x)                 | 5+3: `all` takes other arguments, it is written `list.all(x, condition)`
      [1].exists(x, x)           | 15+1: a condition is bool, this is int
      'abc'.all(c, true)         | 1+5: a loop goes over a list or a map, this is string
      Error.Nope == ''           | 7+4: no member `Nope` in Error, known: Source, StepID
      'a'.size                   | 5+4: a value of type string has no members
      int('x')                   | 1+3: invalid int `x`
      Values.tenant.matches('(') | 23+3: invalid regular expression `(`: missing closing )
      '%d'.format(['a'])         | 14+3: `%d` does not take string
      'a' = 'b'                  | 5+1: unexpected `=`, did you mean `==`?
      (1 + 2                     | 1+1: `(` is not closed
      1 +                        | 4+1: the expression ends too early, something is missing here
      'abc                       | 1+1: the text that begins here has no end
      '\\d' == 'd'               | 1+4: an escape in this text is malformed, write `\\\\\\\\` for a backslash
      a.?b                       | 3+1: unexpected `?`, there are no optional values: test with `has(…)`
      has(Subject)               | 5+7: `has` tests a member, write it as `has(a.b)`
      9223372036854775808        | 1+19: `9223372036854775808` does not fit 64 bits
      for == 1                   | 1+3: `for` is a reserved word
      """)
  void problemsPointAtTheirPosition(String expression, String problem) {
    assertEquals(problem.replace("\\\\", "\\"), Evaluated.of(expression.replace("\\\\", "\\")));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
      Subject.Attributes.admin         | 1+24: a condition is bool, this is dyn, write `… == true`
      Subject.Attributes.admin == true | ~~
      Request.Header('x')              | 1+19: a condition is bool, this is string, compare it with something, as by \
      `==`
      !Subject.Attributes.admin        | ~~
      true ? Values.tenant : 'a'       | 1+26: a condition is bool, this is dyn, write `… == true`
      """)
  void refusesConditionsThatMayNotBeBool(String condition, String problem) {
    assertEquals(problem, Evaluated.refusal(condition));
  }

  @Test
  void logicIgnoresFailuresThatDoNotMatter() {
    assertEquals("true", Evaluated.of("Subject.Attributes.nope == 1 || true"));
    assertEquals("false", Evaluated.of("1 / 0 == 1 && Subject.ID == 'bob'"));
    assertEquals("true", Evaluated.of("[0, 1].exists(x, 1 / x == 1)"));
    assertEquals("fails: division by zero", Evaluated.of("[0, 1].filter(x, 1 / x == 1)"));
  }

  @Test
  void refusesLongAndDeepExpressions() {
    assertEquals("1", Evaluated.of("(".repeat(90) + "1" + ")".repeat(90)));
    assertTrue(Evaluated.of("(".repeat(200) + "1" + ")".repeat(200)).contains("nested too deeply"));
    assertTrue(Evaluated.of("1" + " + 1".repeat(200)).contains("nested too deeply"));
    assertTrue(Evaluated.of("1" + " ".repeat(20_000)).contains("more than 20000 characters"));
  }

  @Test
  void deepExpressionsFitSmallStacks() throws InterruptedException {
    String[] got = new String[1];
    Thread thread = new Thread(null, () -> got[0] = Evaluated.of("[".repeat(95) + "]".repeat(95)), "small", 512 * 1024);
    thread.start();
    thread.join();
    assertEquals("[".repeat(95) + "]".repeat(95), got[0]);
  }

  @Test
  void threadsShareExpressions() throws Exception {
    Callable<String> task = () -> Evaluated.of("Subject.Attributes.groups.map(g, g.upperAscii()).join('-')");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var result : threads.invokeAll(Stream.generate(() -> task).limit(200).toList())) {
        assertEquals("\"DEV-OPS\"", result.get());
      }
    }
  }
}
