/**
 * Compiles and evaluates conditions and other expressions in CEL with the language, checks and functions of cel-go
 * 0.29, like heimdall 0.17.
 *
 * <p><b>Variables.</b> {@code Request} (Method, URL, ClientIPAddresses, Header('X'), Cookie('x'), Body),
 * {@code Request.URL} (Scheme, Host, Path, RawPath, RawQuery, Captures, String(), Query(), Hostname(), Port()),
 * {@code Subject} (ID, Attributes), {@code Payload}, {@code Outputs}, {@code Values}, {@code Error} (Source, StepID).
 * Which of them are known depends on where the expression stands; reading one that is not fails. What an object has as
 * a function without arguments can be read as a member too: {@code Request.Body.id} is {@code Request.Body().id}.
 * {@code type(Error) == authentication_error} is true if that kind is among the causes; the others are {@code
 * authorization_error, communication_error, internal_error, precondition_error}.
 *
 * <p><b>Strictness.</b> A condition has to be bool before it is evaluated: {@code Payload.ok} is refused,
 * {@code Payload.ok == true} is not. Types do not mix: {@code 1 == 1.0} and {@code 'a' == 1} are refused. Values
 * that are known only later compare: numbers by value, everything else only within its type. The numbers of JSON are
 * doubles, so {@code Subject.Attributes.age + 1} fails and {@code + 1.0} does not; whole numbers from 2<sup>53</sup>
 * on, which a double would round, are ints and stay exact. A conversion or pattern of constants that cannot succeed is
 * refused.
 *
 * <p><b>Functions.</b> Those of the CEL specification; {@code has all exists exists_one map filter}; strings (charAt,
 * indexOf, lastIndexOf, join, lowerAscii, upperAscii, replace, split, substring, trim, reverse, format, strings.quote);
 * lists (slice, flatten, sort, sortBy, distinct, reverse, lists.range, last, at); {@code sets.*}, {@code math.*},
 * {@code base64.*}, {@code json.encode}; {@code matches, regexFind, regexFindAll} in RE2's syntax;
 * {@code networks('10.0.0.0/8')} with {@code in}. Members whose name is not an identifier are written in backticks:
 * <code>Values.`a-b`</code>.
 *
 * <p><b>Left out</b>, as in heimdall: optional values, {@code cel.bind}, macros with two variables, enumerations and
 * messages of protobuf but timestamps and durations.
 *
 * <p><b>Limits.</b> 20,000 characters, 100 levels, 4,000 characters of a regular expression, 100 digits of a format,
 * and two million steps an evaluation, where reading eight characters is about a step; beyond them it is refused or
 * fails.
 *
 * <p>Parser, checker and evaluator are our own: the libraries for the JVM differ from cel-go in each of them.
 *
 * <p>{@link Val} is not {@code Value}: CEL has types beyond JSON (uint, bytes, timestamps, types, maps with any key)
 * that templates and configuration must not meet, and it reads untyped whole numbers as doubles. Lists, maps and
 * objects of the request are not copied; {@code Val} is a view that converts an element when it is read.
 */
package portcullis.lang.expression;
