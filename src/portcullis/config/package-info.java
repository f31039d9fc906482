/**
 * The configuration's documents: YAML as a tree that knows where each value stands, and decoders that make records of
 * it.
 */
package portcullis.config;
