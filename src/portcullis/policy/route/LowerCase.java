package portcullis.policy.route;

import java.util.Locale;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;

/** A string in lower case that still knows its places. */
record LowerCase(LocatedText written) implements LocatedText {
  @Override
  public String text() {
    String lower = written.text().toLowerCase(Locale.ROOT);
    return lower.length() == written.text().length() ? lower : written.text();
  }

  @Override
  public Origin at(int offset, int length) {
    return written.at(offset, length);
  }

  @Override
  public String path() {
    return written.path();
  }
}
