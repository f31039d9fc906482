package portcullis.demo;

import java.util.Map;
import portcullis.http.message.Response;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Implements two calls of OpenFGA, check and list-objects, for one store; other members of requests are ignored. */
record RelationService(Relations relations) implements Site.Pages {
  private static final String STORE = "/stores/demo";

  /** Thrown for an invalid request. */
  private static final class Invalid extends Exception {
    private static final long serialVersionUID = 1;

    Invalid(String message) {
      super(message, null, false, false);
    }
  }

  @Override
  public Response answer(Visit visit) {
    try {
      return switch (visit.wish()) {
        case "POST " + STORE + "/check" -> check(document(visit));
        case "POST " + STORE + "/list-objects" -> list(document(visit));
        default -> error(404, "undefined_endpoint", "no such call or store");
      };
    } catch (Invalid e) {
      return error(400, "validation_error", e.getMessage());
    }
  }

  private Response check(Value.Dict body) throws Invalid {
    if (!(body.get("tuple_key").orElse(Value.NULL) instanceof Value.Dict key)) {
      throw new Invalid("`tuple_key` is missing");
    }
    boolean allowed = relations
        .allowed(new Relations.Tuple(text(key, "user"), text(key, "relation"), text(key, "object")));
    return json(200, Value.dict("allowed", Value.of(allowed)));
  }

  private Response list(Value.Dict body) throws Invalid {
    return json(200, Value.dict("objects",
        Value.Array.ofStrings(relations.objects(text(body, "user"), text(body, "relation"), text(body, "type")))));
  }

  private static Value.Dict document(Visit visit) throws Invalid {
    try {
      if (Json.read(visit.body()) instanceof Value.Dict dict) {
        return dict;
      }
    } catch (ValueException e) {
      throw new Invalid(e.getMessage());
    }
    throw new Invalid("the body is not a JSON object");
  }

  private static String text(Value.Dict dict, String name) throws Invalid {
    if (dict.get(name).orElse(Value.NULL) instanceof Value.Str text && !text.value().isEmpty()) {
      return text.value();
    }
    throw new Invalid("`" + name + "` is missing or not a string");
  }

  private static Response error(int status, String code, String message) {
    return json(status, new Value.Dict(Map.of("code", Value.of(code), "message", Value.of(message))));
  }

  private static Response json(int status, Value value) {
    return Response.of(status, "application/json", JsonText.plain(value));
  }
}
