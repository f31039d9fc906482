package portcullis.demo;

import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.keys.Base64Url;

/**
 * The signed-in users by the value of the session cookie; at most a thousand, the oldest session ends first. Thread
 * safe.
 */
final class Sessions {
  private static final int MOST = 1000;
  private static final int ID_BYTES = 24;

  private final Map<String, Person> people = new LinkedHashMap<>();
  private final SecureRandom random = new SecureRandom();

  /** Begins a session and returns its id. */
  synchronized String begin(Person person) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String id = Base64Url.text(bytes);
    people.put(id, person);
    if (people.size() > MOST) {
      people.remove(people.keySet().iterator().next());
    }
    return id;
  }

  synchronized Optional<Person> person(String id) {
    return Optional.ofNullable(people.get(id));
  }

  synchronized void end(String id) {
    people.remove(id);
  }
}
