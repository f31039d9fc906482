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

  /**
   * Records an attempt with a credential from a network, unless it is locked out. The key is a hash that has, for each
   * credential of the network, the failures, since when, the end of the last lockout, the number of lockouts, and when
   * all of that is over. Credentials beyond a number of them count as one. The arguments are the credential, whether
   * the attempt was right, that number, and the settings of the lockout in milliseconds. Returns the milliseconds of
   * the lockout, the failures, the number of lockouts, and whether this attempt began it.
   */
  static final RedisScript ATTEMPT = of("""
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      local id, right = ARGV[1], ARGV[2] == '1'
      local places, attempts, within = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
      local first, most = tonumber(ARGV[6]), tonumber(ARGV[7])
      local function read(text)
        local f, s, u, n, o = string.match(text or '', '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
        if not o or tonumber(o) < now then
          return nil
        end
        return {tonumber(f), tonumber(s), tonumber(u), tonumber(n)}
      end
      local known = read(redis.call('HGET', KEYS[1], id))
      if not known and redis.call('HLEN', KEYS[1]) >= places then
        local all = redis.call('HGETALL', KEYS[1])
        for i = 1, #all, 2 do
          if not read(all[i + 1]) then
            redis.call('HDEL', KEYS[1], all[i])
          end
        end
        if redis.call('HLEN', KEYS[1]) >= places then
          id = 'others'
          known = read(redis.call('HGET', KEYS[1], id))
        end
      end
      local failures, since, till, lockouts = unpack(known or {0, now, 0, 0})
      if till > now then
        return {till - now, failures, lockouts, 0}
      end
      if right then
        if known and id ~= 'others' then
          redis.call('HDEL', KEYS[1], id)
        end
        return {0, 0, 0, 0}
      end
      if since + within < now then
        failures, since = 0, now
      end
      if till + most < now then
        lockouts = 0
      end
      failures = failures + 1
      local begins = failures >= attempts
      if begins then
        till = now + math.min(most, first * 2 ^ math.min(lockouts, 20))
        failures, since, lockouts = 0, now, lockouts + 1
      end
      local over = math.max(since + within, till + most * math.min(1, lockouts))
      redis.call('HSET', KEYS[1], id, string.format('%.0f %.0f %.0f %.0f %.0f', failures, since, till, lockouts, over))
      redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), over - now, 1))
      return {begins and till - now or 0, failures, lockouts, begins and 1 or 0}
      """);

  /** Deletes the key. Returns whether there was one. */
  static final RedisScript FORGET = of("return {redis.call('DEL', KEYS[1])}\n");

  private static RedisScript of(String text) {
    byte[] hash = Jca.required(() -> MessageDigest.getInstance("SHA-1"))
        .digest(text.getBytes(StandardCharsets.UTF_8));
    return new RedisScript(text, HexFormat.of().formatHex(hash));
  }
}
