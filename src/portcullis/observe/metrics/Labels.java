package portcullis.observe.metrics;

import java.util.Arrays;

/**
 * The values of attributes, strings and integers, in the order of the attributes; an empty string means no value.
 * Immutable: callers do not change the array after passing it.
 */
public final class Labels {
  private final Object[] values;
  private final int hash;

  private Labels(Object[] values) {
    this.values = values;
    this.hash = Arrays.hashCode(values);
  }

  public static Labels of(Object... values) {
    return new Labels(values);
  }

  int size() {
    return values.length;
  }

  Object value(int index) {
    return values[index];
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Labels labels) || labels.hash != hash || labels.values.length != values.length) {
      return false;
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] != labels.values[i] && !values[i].equals(labels.values[i])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
