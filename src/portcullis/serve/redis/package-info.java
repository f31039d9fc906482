/**
 * The cache in Redis: one node, sentinels or a cluster. Only {@link portcullis.serve.redis.JedisOperations} and the
 * classes it creates use the client library, so that it is loaded only where Redis is configured.
 */
package portcullis.serve.redis;
