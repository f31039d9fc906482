/**
 * Go's templates (text/template of Go 1.26) with the functions that heimdall 0.17 gives them: Go's own, sprig 3.3,
 * {@code urlenc} and {@code atIndex}. A template of a heimdall rule has the same result here, to the byte, or is
 * rejected when it is loaded.
 *
 * <h2>What a template is</h2>
 *
 * Text with actions between two opening and two closing braces, and all of Go's actions:
 * pipelines, variables ({@code $x := …}, {@code $x = …}), {@code if}, {@code with}, {@code range} over lists, maps (by
 * key) and whole numbers, each with {@code else}, {@code else if} and {@code else with}, {@code break},
 * {@code continue}, {@code define}, {@code template}, {@code block}, comments and trim markers, and Go's constants. The
 * template itself can be invoked as {@code Heimdall}.
 *
 * <h2>What it reads</h2>
 *
 * <ul>
 * <li>{@code .Subject.Attributes.mail}: members of objects and maps, {@code .Request.Header "X"}: functions of objects.
 * Arguments
 *       stand behind a blank; {@code .Request.Header("X")} is not a template.
 * <li>A member that a map lacks is {@code <no value>}, and so is all below it; a member that an object lacks, and
 * members of
 *       null, strings and numbers, make the rendering fail.
 * <li>Every number of the data is a float64: {@code eq .age 42} fails, {@code eq .age 42.0} and
 * {@code eq (int .age) 42} do not;
 *       1000000 prints as {@code 1e+06}.
 * <li>{@code Values}, headers and captures are maps of strings: {@code index} reads them, {@code get} and its kin
 * refuse them.
 *   <li>Lengths and positions of strings count bytes of UTF-8.
 * <li>{@code set}, {@code unset} and {@code merge} change what they are given, for the rest of the rendering; the data
 * stays as
 *       it was.
 * </ul>
 *
 * <h2>Functions</h2>
 *
 * Go: and or not eq ne lt le gt ge len index call print printf println html js urlquery; {@code slice} is sprig's.
 * Heimdall: urlenc atIndex. Sprig: all of its string functions except those below. Functions take exactly Go's types:
 * {@code trunc} takes an int, not the int64 of {@code add}, nor a number of the data. Regular expressions are RE2's, in
 * linear time, of at most 4096 characters and 10,000 parts.
 *
 * <p>Not supported, and rejected by name when a template is loaded:
 *
 * <ul>
 *   <li>env, expandenv: templates cannot read the environment (heimdall leaves them out too)
 *   <li>getHostByName: templates cannot use the network
 * <li>genPrivateKey, genCA, genCAWithKey, genSelfSignedCert, genSelfSignedCertWithKey, genSignedCert,
 * genSignedCertWithKey,
 *       buildCustomCert: keys and certificates are not generated per request
 *   <li>bcrypt, htpasswd, derivePassword: passwords are not hashed per request, as that is slow on purpose
 * </ul>
 *
 * <h2>Other than in Go, on purpose</h2>
 *
 * <ul>
 * <li>A whole number of the data that no float64 holds keeps its digits where it stands alone: printed, in
 * {@code toString},
 *       {@code quote}, {@code join}, {@code toJson}, {@code int64}. Identifiers of 17 digits survive.
 * <li>The result is a valid string: a byte that is not part of a character, as {@code trunc} may leave it, becomes
 * U+FFFD.
 *   <li>The local time zone is UTC.
 * <li>A rendering is bounded: 1 MiB of output and of every text on the way, 1,000,000 steps (an action, a call, a turn
 * of a loop,
 *       256 bytes of text), 100 templates inside each other, 400 levels of nested values. Templates nest 100 deep.
 * <li>Messages differ from Go's. They name the place in the file, and no values of the data except the argument of
 * {@code fail}.
 * </ul>
 *
 * <h2>Implementation</h2>
 *
 * {@link portcullis.lang.template.Template} is the entry point. Lexer → Tokens → Parser and PipelineParser produce
 * Statements and Terms, with variables resolved to slots and functions bound; a Rendering runs them: Executor the
 * statements, Evaluator the pipelines, Members the members. A function is an entry of one of the tables that Functions
 * combines, with the types of its parameters (Param).
 *
 * <p>Items are not Values: templates distinguish int, int64, time.Duration and float64, and a nil map from an empty
 * one, and change maps; Value has none of that, nor do expressions need it. An Item of a list or map is a lazy view of
 * its Value (ItemFactory, Dict), so data is not copied.
 */
package portcullis.lang.template;
