package portcullis.verify;

import java.util.List;

/**
 * What became of a case.
 *
 * @param wrong what is not as expected, a line each; none where it passed
 * @param unused the case's own stubs that answered no call, a line each
 * @param nanos that the decision took
 */
public record CaseResult(String file, String name, String place, List<String> wrong, List<String> unused, long nanos) {
  public boolean passed() {
    return wrong.isEmpty();
  }
}
