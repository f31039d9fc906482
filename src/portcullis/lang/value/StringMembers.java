package portcullis.lang.value;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/** The members of a dict of strings; immutable. */
final class StringMembers extends AbstractMap<String, Value> {
  private final Map<String, Value> strings;

  /** @param strings not changed afterwards */
  StringMembers(Map<String, Value> strings) {
    this.strings = Collections.unmodifiableMap(strings);
  }

  @Override
  public Value get(Object name) {
    return strings.get(name);
  }

  @Override
  public boolean containsKey(Object name) {
    return strings.containsKey(name);
  }

  @Override
  public Set<Entry<String, Value>> entrySet() {
    return strings.entrySet();
  }
}
