/** Explanations: how a request was decided, step by step, with secrets masked. */
package portcullis.serve.explain;
