/**
 * Redis: the cache, and what instances share; one node, sentinels or a cluster. Only
 * {@link portcullis.serve.redis.JedisOperations}, {@link portcullis.serve.redis.SharedRedis} and the classes that they
 * create use the client library, so that it is loaded only where Redis is configured.
 */
package portcullis.serve.redis;
