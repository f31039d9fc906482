package portcullis.route;

import java.util.Locale;
import portcullis.source.LocatedText;
import portcullis.source.Origin;

/** A text in lower case that still knows its places. */
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
