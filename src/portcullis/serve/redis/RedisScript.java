package portcullis.serve.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import portcullis.crypto.keys.Jca;

/**
 * A script in Lua that Redis runs. It is called by its hash, in one round trip; Redis is sent the text only where it
 * does not know it yet.
 *
 * @param sha1 of the text, in hexadecimal digits, as EVALSHA takes it
 */
record RedisScript(String text, String sha1) {
  /**
   * Takes a token out of the bucket that is the key: the time in microseconds at which it is full. The arguments are
   * the microseconds between two tokens and the size of the bucket. Returns whether there was a token, and the
   * microseconds until the bucket is full. The clock is that of Redis, the same for all.
   */
  static final RedisScript TAKE = of("""
      local time = redis.call('TIME')
      local now = time[1] * 1000000 + time[2]
      local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0') or 0)
      local next = full + tonumber(ARGV[1])
      if next - now > ARGV[1] * ARGV[2] + 0.5 then
        return {0, math.ceil(full - now)}
      end
      redis.call('SET', KEYS[1], string.format('%.3f', next), 'PX', math.max(1, math.ceil((next - now) / 1000)))
      return {1, math.ceil(next - now)}
      """);

  private static RedisScript of(String text) {
    byte[] hash = Jca.required(() -> MessageDigest.getInstance("SHA-1"))
        .digest(text.getBytes(StandardCharsets.UTF_8));
    return new RedisScript(text, HexFormat.of().formatHex(hash));
  }
}
