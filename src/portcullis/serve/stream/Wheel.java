package portcullis.serve.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A hashed timer wheel that is a registry too: each item is in the slot of the tick at which it is due, or in any slot
 * if it is never due. Adding, moving and removing take constant time; a tick looks at one slot. Thread safe.
 */
final class Wheel<T extends Wheel.Item> {
  /** The tick of items that are never due. */
  static final long NEVER = Long.MAX_VALUE;
  private static final int SLOTS = 1024;
  private static final int NOWHERE = -1;

  private final List<List<T>> slots = new ArrayList<>(SLOTS);
  private volatile long passed;

  /** @param now the current tick */
  Wheel(long now) {
    passed = now;
    for (int i = 0; i < SLOTS; i++) {
      slots.add(new ArrayList<>(0));
    }
  }

  /** Knows its place: the slot is changed under the lock of the item, the index under that of the slot. */
  abstract static class Item {
    private int slot = NOWHERE;
    private int index;
    private volatile long due = NEVER;
  }

  /** Adds an item, or moves it to another tick; one that has passed is the next one. */
  void put(T item, long due) {
    long tick = Math.max(due, passed + 1);
    place(item, tick);
    while (tick <= passed) { // its slot may have been looked at before the item was there
      tick = passed + 1;
      place(item, tick);
    }
  }

  private void place(T item, long due) {
    Item place = item;
    synchronized (place) {
      remove(item);
      place.due = due;
      place.slot = due == NEVER ? System.identityHashCode(item) & SLOTS - 1 : (int) (due & SLOTS - 1);
      List<T> slot = slots.get(place.slot);
      synchronized (slot) {
        place.index = slot.size();
        slot.add(item);
      }
    }
  }

  /** Removes an item, and returns whether it was there. */
  boolean remove(T item) {
    Item place = item;
    synchronized (place) {
      if (place.slot == NOWHERE) {
        return false;
      }
      List<T> slot = slots.get(place.slot);
      synchronized (slot) {
        T last = slot.removeLast();
        if (last != item) {
          Item moved = last;
          moved.index = place.index;
          slot.set(place.index, last);
        }
      }
      place.slot = NOWHERE;
      return true;
    }
  }

  /** Passes the items that are due to an action; for one thread. They stay until they are removed or moved. */
  void advance(long now, Consumer<T> action) {
    for (long tick = Math.max(passed + 1, now - SLOTS + 1); tick <= now; tick++) {
      passed = tick;
      for (T item : copy(slots.get((int) (tick & SLOTS - 1)))) {
        Item place = item;
        if (place.due <= now) {
          action.accept(item);
        }
      }
    }
  }

  /** Passes all items to an action. */
  void forEach(Consumer<T> action) {
    slots.forEach(slot -> copy(slot).forEach(action));
  }

  private static <T> List<T> copy(List<T> slot) {
    synchronized (slot) {
      return slot.isEmpty() ? List.of() : new ArrayList<>(slot);
    }
  }
}
