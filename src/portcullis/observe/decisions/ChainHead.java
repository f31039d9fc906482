package portcullis.observe.decisions;

/**
 * The last line of an audit chain; immutable.
 *
 * @param chain the id of the chain
 * @param number of the line
 * @param hash SHA-256 of the line, hexadecimal
 * @param uncovered the number of lines after the last signed checkpoint
 * @param key id of the key that signs checkpoints
 */
public record ChainHead(String chain, long number, String hash, long uncovered, String key) {}
