package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Each of the 211 functions of sprig 3.3.0 is implemented, or rejected with a reason when a template is loaded. */
class SprigNamesTest {
  private static final String NAMES = """
      hello ago date date_in_zone date_modify dateInZone dateModify duration durationRound htmlDate htmlDateInZone
      must_date_modify mustDateModify mustToDate now toDate unixEpoch
      abbrev abbrevboth trunc trim upper lower title untitle substr repeat trimall trimAll trimSuffix trimPrefix nospace
      initials randAlphaNum randAlpha randAscii randNumeric swapcase shuffle snakecase camelcase kebabcase wrap wrapWith
      contains hasPrefix hasSuffix quote squote cat indent nindent replace plural sha1sum sha256sum sha512sum adler32sum
      toString
      atoi int64 int float64 seq toDecimal
      split splitList splitn toStrings until untilStep
      add1 add sub div mod mul randInt add1f addf subf divf mulf biggest max min maxf minf ceil floor round
      join sortAlpha
      default empty coalesce all any compact mustCompact fromJson toJson toPrettyJson toRawJson mustFromJson mustToJson
      mustToPrettyJson mustToRawJson ternary deepCopy mustDeepCopy
      typeOf typeIs typeIsLike kindOf kindIs deepEqual
      env expandenv
      getHostByName
      base dir clean ext isAbs osBase osClean osDir osExt osIsAbs
      b64enc b64dec b32enc b32dec
      tuple list dict get set unset hasKey pluck keys pick omit merge mergeOverwrite mustMerge mustMergeOverwrite values
      append push mustAppend mustPush prepend mustPrepend first mustFirst rest mustRest last mustLast initial \
      mustInitial
      reverse mustReverse uniq mustUniq without mustWithout has mustHas slice mustSlice concat dig chunk mustChunk
      bcrypt htpasswd genPrivateKey derivePassword buildCustomCert genCA genCAWithKey genSelfSignedCert
      genSelfSignedCertWithKey genSignedCert genSignedCertWithKey encryptAES decryptAES randBytes
      uuidv4
      semver semverCompare
      fail
      regexMatch mustRegexMatch regexFindAll mustRegexFindAll regexFind mustRegexFind regexReplaceAll
      mustRegexReplaceAll regexReplaceAllLiteral mustRegexReplaceAllLiteral regexSplit mustRegexSplit regexQuoteMeta
      urlParse urlJoin
      """;

  private static Stream<String> names() {
    return Stream.of(NAMES.strip().split("\\s+"));
  }

  @Test
  void theListIsComplete() {
    assertEquals(211, names().distinct().count());
  }

  @Test
  void everyFunctionIsImplementedOrUnsupported() {
    List<String> missing = names()
        .filter(name -> Functions.named(name).isPresent() == UnsupportedFunctions.reason(name).isPresent())
        .toList();
    assertEquals(List.of(), missing);
  }

  @Test
  void unsupportedFunctionsAreRejectedByName() {
    List<String> unsupported = names().filter(name -> UnsupportedFunctions.reason(name).isPresent()).toList();
    assertEquals(14, unsupported.size());
    for (String name : unsupported) {
      Problems problems = new Problems();
      assertTrue(Template.compile(LocatedText.of("t", "{{ " + name + " }}"), problems).isEmpty(), name);
      String message = problems.sorted().toString();
      assertTrue(message.contains("`" + name + "`") && message.contains(UnsupportedFunctions.reason(name).get()),
          message);
    }
  }

  /** Beside sprig's there are only Go's own functions and heimdall's two. */
  @Test
  void noFunctionIsInvented() {
    Set<String> others = new TreeSet<>(Functions.names());
    names().toList().forEach(others::remove);
    assertEquals("and atIndex call eq ge gt html index js le len lt ne not or print printf println urlenc urlquery",
        String.join(" ", others));
  }
}
