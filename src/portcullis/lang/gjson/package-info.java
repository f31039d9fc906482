/**
 * Paths in the syntax of gjson, by which authenticators take the subject's id and attributes out of a document.
 *
 * <p>Supported is all of it: members and positions ({@code friends.1.name}), wildcards ({@code child*.2}), escapes
 * ({@code fav\.movie}), counts and collections ({@code friends.#}, {@code friends.#.name}), queries
 * ({@code friends.#(age>45)#.name}) with the operators {@code == != < <= > >= % !%} and the truths
 * {@code ~true ~false ~null ~*}, pipes ({@code friends|#}), multipaths (<code>{id,name.first}</code>,
 * {@code [id,name]}), constants ({@code !"x"}), lines ({@code ..0}), and the modifiers {@code @this @keys @values
 * @reverse
 * @flatten @join @valid @pretty @ugly @tostr @fromstr @group @dig}.
 *
 * <p>A path beyond 1,000 characters finds nothing; a search that would write more than 8 million characters, or go
 * deeper than it should, finds less. In a document that was read before, of members of one name only the last is there,
 * and an object prints without blanks.
 */
package portcullis.lang.gjson;
