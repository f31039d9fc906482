package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each function of sprig 3.3 is there, or is left out for a reason that it is reported with. */
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
  void everyFunctionIsThereOrLeftOutForAReason() {
    List<String> missing = names()
        .filter(name -> Functions.named(name).isEmpty() && UnsupportedFunctions.reason(name).isEmpty())
        .toList();
    assertEquals(List.of(), missing);
  }

  @Test
  void noFunctionIsBothThereAndLeftOut() {
    assertTrue(
        names().noneMatch(name -> Functions.named(name).isPresent() && UnsupportedFunctions.reason(name).isPresent()));
  }
}
