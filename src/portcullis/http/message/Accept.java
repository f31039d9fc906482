package portcullis.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Selects the form of a response that a client prefers (RFC 9110, 12.5.1). */
public final class Accept {
  private Accept() {}

  /** {@code media-range [ weight ]}. */
  private record Preference(String type, String subtype, int thousandths) {
    boolean covers(MediaType offer) {
      return type.equals("*") || type.equals(offer.type()) && (subtype.equals("*") || subtype.equals(offer.subtype()));
    }

    int precision() {
      return type.equals("*") ? 0 : subtype.equals("*") ? 1 : 2;
    }
  }

  /**
   * Returns the offer of the greatest weight; of equal ones that which the client names first, then that which is
   * offered first. Without {@code Accept} the first offer; empty if none is acceptable or the field is invalid.
   *
   * @param offers as {@code text/html}, without parameters
   */
  public static Optional<String> best(List<String> offers, Fields fields) {
    String accept = fields.joined("Accept").orElse("");
    if (Grammar.trimmed(accept).isEmpty()) {
      return offers.stream().findFirst();
    }
    List<Preference> preferences = new ArrayList<>();
    for (String element : Grammar.list(accept)) {
      Optional<Preference> preference = preference(element);
      if (preference.isEmpty()) {
        return Optional.empty();
      }
      preferences.add(preference.get());
    }
    return best(offers, preferences);
  }

  private static Optional<Preference> preference(String element) {
    Optional<MediaType> range = MediaType.parse(element);
    if (range.isEmpty() || range.get().type().equals("*") && !range.get().subtype().equals("*")) {
      return Optional.empty();
    }
    int weight = weight(range.get().parameters().getOrDefault("q", "1"));
    return weight < 0 ? Optional.empty()
        : Optional.of(new Preference(range.get().type(), range.get().subtype(), weight));
  }

  /** {@code qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )}; -1 for everything else. */
  private static int weight(String text) {
    boolean shaped = !text.isEmpty() && text.length() <= 5 && (text.length() == 1 || text.charAt(1) == '.');
    int weight = 0;
    for (int i = 0; i < 5; i++) {
      char c = i < text.length() ? text.charAt(i) : '0';
      if (i != 1) {
        shaped &= c >= '0' && c <= '9';
        weight = weight * 10 + c - '0';
      }
    }
    return shaped && weight <= 1000 ? weight : -1;
  }

  private static Optional<String> best(List<String> offers, List<Preference> preferences) {
    Optional<String> best = Optional.empty();
    int weight = 0;
    int place = 0;
    for (String offer : offers) {
      int index = index(MediaType.parse(offer).orElseThrow(), preferences);
      int offered = index < 0 ? 0 : preferences.get(index).thousandths;
      if (offered > weight || offered == weight && offered > 0 && index < place) {
        best = Optional.of(offer);
        weight = offered;
        place = index;
      }
    }
    return best;
  }

  /** Returns the place of the most specific preference for an offer; -1 for none. */
  private static int index(MediaType offer, List<Preference> preferences) {
    int found = -1;
    for (int i = 0; i < preferences.size(); i++) {
      Preference p = preferences.get(i);
      if (p.covers(offer) && (found < 0 || p.precision() > preferences.get(found).precision())) {
        found = i;
      }
    }
    return found;
  }
}
