package portcullis.policy.endpoint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.http.HttpHeaders;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.policy.cache.CacheCodec;

/**
 * Encodes responses for caches: a version, the status, the number of fields, each name and value with its length, and
 * the body. Numbers take four bytes.
 */
final class ResponseCodec implements CacheCodec<EndpointResponse> {
  private static final int VERSION = 0x50430001;

  static final CacheCodec<EndpointResponse> FORM = new ResponseCodec();

  private ResponseCodec() {}

  @Override
  public byte[] write(EndpointResponse reply) {
    List<byte[]> lines = new ArrayList<>();
    reply.headers().map().forEach((name, values) -> values.forEach(value -> {
      lines.add(name.getBytes(ISO_8859_1));
      lines.add(value.getBytes(ISO_8859_1));
    }));
    int length = 3 * Integer.BYTES + reply.body().length
        + lines.stream().mapToInt(line -> Integer.BYTES + line.length).sum();
    ByteBuffer out = ByteBuffer.allocate(length).putInt(VERSION).putInt(reply.status()).putInt(lines.size() / 2);
    lines.forEach(line -> out.putInt(line.length).put(line));
    return out.put(reply.body()).array();
  }

  @Override
  public Optional<EndpointResponse> read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      return in.getInt() == VERSION ? Optional.of(new EndpointResponse(in.getInt(), headers(in), rest(in)))
          : Optional.empty();
    } catch (BufferUnderflowException | NegativeArraySizeException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static HttpHeaders headers(ByteBuffer in) {
    Map<String, List<String>> out = new LinkedHashMap<>();
    for (int left = in.getInt(); left > 0; left--) {
      out.computeIfAbsent(text(in), _ -> new ArrayList<>(1)).add(text(in));
    }
    return HttpHeaders.of(out, (_, _) -> true);
  }

  private static String text(ByteBuffer in) {
    int length = in.getInt();
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] out = new byte[length];
    in.get(out);
    return new String(out, ISO_8859_1);
  }

  private static byte[] rest(ByteBuffer in) {
    byte[] out = new byte[in.remaining()];
    in.get(out);
    return out;
  }
}
