/**
 * Evaluates paths in the syntax of gjson, which authenticators use to take the subject's id, its attributes and the
 * fields of a session from a document.
 *
 * <p>The whole syntax is supported: members and positions ({@code friends.1.name}), wildcards ({@code child*.2}),
 * escapes ({@code fav\.movie}), counts and collections ({@code friends.#}, {@code friends.#.name}), queries
 * ({@code friends.#(age>45)#.name}) with the operators {@code == != < <= > >= % !%} and the truth values
 * {@code ~true ~false ~null ~*}, pipes ({@code friends|#}), multipaths (<code>{id,name.first}</code>,
 * {@code [id,name]}), literals ({@code !"x"}), lines ({@code ..0}), and the modifiers {@code @this @keys @values
 * @reverse @flatten @join @valid @pretty @ugly @tostr @fromstr @group @dig}.
 *
 * <p>Paths walk a {@link portcullis.lang.value.Value}, whereas gjson scans JSON text. Hence layout does not exist
 * ({@code @pretty} and {@code @ugly} change nothing, objects print without blanks), {@code ..} sees one line, of
 * members with one name only the last exists, and {@code @fromstr} finds nothing in text that is not well-formed JSON.
 *
 * <p>A path beyond 1,000 characters finds nothing. Neither does an evaluation that builds more than 8 million
 * characters and values.
 */
package portcullis.lang.gjson;
