/** Small measurements: what something costs on one thread, warm. {@code make bench} runs them. */
package portcullis.bench;
