package portcullis.observe.profiling;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import portcullis.http.grpc.MessageWriter;

/**
 * Collects stacks with values and writes them as profile.proto of pprof or as text. For one thread.
 */
final class Profile {
  /** A type of value, such as {@code cpu} in {@code nanoseconds}. */
  record Type(String name, String unit) {}

  /** A place in the code. */
  record Frame(String function, String file, int line) {}

  /** A stack, innermost frame first, with labels. */
  private record Stack(List<Frame> frames, Map<String, String> labels) {}

  private final List<Type> types;
  private final Type period;
  private final long periodLength;
  private final Instant at;
  private final Symbols symbols;
  private final Duration time;
  private final Map<Stack, long[]> samples = new LinkedHashMap<>();

  /**
   * Creates an empty profile.
   *
   * @param periodLength between two samples, in the unit of {@code period}
   * @param time that it covers; zero for a snapshot
   * @param symbols addresses of functions
   */
  Profile(List<Type> types, Type period, long periodLength, Instant at, Duration time, Symbols symbols) {
    this.types = List.copyOf(types);
    this.period = period;
    this.periodLength = periodLength;
    this.at = at;
    this.time = time;
    this.symbols = symbols;
  }

  /** @param values in the order of the types */
  void add(List<Frame> frames, Map<String, String> labels, long... values) {
    long[] sum = samples.computeIfAbsent(new Stack(List.copyOf(frames), Map.copyOf(labels)),
        _ -> new long[types.size()]);
    for (int i = 0; i < sum.length; i++) {
      sum[i] += values[i];
    }
  }

  /**
   * Returns a gzip-compressed profile.proto.
   *
   * @param defaultType the name of the type that tools show first
   */
  byte[] proto(String defaultType) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(new Writing().bytes(defaultType));
    }
    return out.toByteArray();
  }

  /** Returns one stack after the other, each with its values before it. */
  String text(String kind) {
    StringBuilder out = new StringBuilder();
    long[] totals = new long[types.size()];
    samples.values().forEach(values -> {
      for (int i = 0; i < totals.length; i++) {
        totals[i] += values[i];
      }
    });
    out.append(kind).append(" profile: total");
    for (int i = 0; i < totals.length; i++) {
      out.append(' ').append(totals[i]).append(' ').append(types.get(i).name()).append('/').append(types.get(i).unit());
    }
    out.append('\n');
    samples.forEach((stack, values) -> {
      for (long value : values) {
        out.append(value).append(' ');
      }
      out.append('@');
      stack.labels.forEach((name, value) -> out.append(' ').append(name).append('=').append(value));
      out.append('\n');
      stack.frames.forEach(f -> out.append("#\t").append(f.function()).append("\t").append(f.file()).append(':')
          .append(f.line()).append('\n'));
      out.append('\n');
    });
    return out.toString();
  }

  /** The message {@code Profile} of profile.proto; the comments name its fields. */
  private final class Writing {
    private final MessageWriter out = new MessageWriter();
    private final Map<String, Long> strings = new LinkedHashMap<>(Map.of("", 0L));
    private final Map<Frame, Long> locations = new LinkedHashMap<>();
    private final Map<String, Long> functions = new LinkedHashMap<>();

    byte[] bytes(String defaultType) {
      types.forEach(type -> out.message(1, valueType(type))); // sample_type
      samples.forEach((stack, values) -> out.message(2, sample(stack, values))); // sample
      locations.forEach((frame, id) -> out.message(4, location(frame, id))); // location
      Map<String, Frame> named = new LinkedHashMap<>();
      locations.keySet().forEach(frame -> named.putIfAbsent(key(frame), frame));
      named.forEach((key, frame) -> out.message(5, function(frame, functions.get(key)))); // function
      long nanos = at.getEpochSecond() * 1_000_000_000 + at.getNano();
      MessageWriter periodType = valueType(period);
      long defaultSampleType = string(defaultType);
      strings.keySet().forEach(text -> out.string(6, text)); // string_table
      out.number(9, nanos).number(10, time.toNanos()) // time_nanos, duration_nanos
          // period_type, period, default_sample_type
          .message(11, periodType).number(12, periodLength).number(14, defaultSampleType);
      return out.bytes();
    }

    private long string(String text) {
      return strings.computeIfAbsent(text, _ -> (long) strings.size());
    }

    private MessageWriter valueType(Type type) {
      return new MessageWriter().number(1, string(type.name())).number(2, string(type.unit()));
    }

    private MessageWriter sample(Stack stack, long[] values) {
      long[] ids = stack.frames.stream()
          .mapToLong(frame -> locations.computeIfAbsent(frame, _ -> locations.size() + 1L)).toArray();
      MessageWriter sample = new MessageWriter().packed(1, ids).packed(2, values); // location_id, value
      stack.labels.forEach(
          (name, value) -> sample.message(3, new MessageWriter().number(1, string(name)).number(2, string(value))));
      return sample;
    }

    private MessageWriter location(Frame frame, long id) {
      long function = functions.computeIfAbsent(key(frame), _ -> functions.size() + 1L);
      MessageWriter line = new MessageWriter().number(1, function).number(2, frame.line()); // function_id, line
      // id, address, line
      return new MessageWriter().number(1, id).number(3, symbols.address(frame.function())).message(4, line);
    }

    private MessageWriter function(Frame frame, long id) {
      long name = string(frame.function());
      // name, system_name
      return new MessageWriter().number(1, id).number(2, name).number(3, name).number(4, string(frame.file()));
    }

    private static String key(Frame frame) {
      return frame.function() + "\n" + frame.file();
    }
  }
}
