/** Runs the program once: reads its configuration, loads and reloads rules, opens and closes the listeners. */
package portcullis.serve.runtime;
