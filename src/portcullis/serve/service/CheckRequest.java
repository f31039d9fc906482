package portcullis.serve.service;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.http.grpc.Code;
import portcullis.http.grpc.GrpcException;
import portcullis.http.grpc.MessageReader;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.message.ReportedRequest;

/**
 * Decodes {@code envoy.service.auth.v3.CheckRequest}: of {@code attributes.request.http} the members that describe the
 * request, and {@code attributes.source.certificate}. Of a repeated member the last one is used, as protocol buffers
 * require.
 */
final class CheckRequest {
  /** The maximum size of the head that it describes, each field with 32 bytes more (RFC 9113, 6.5.2). */
  static final int MOST_HEAD = 1 << 20;
  private static final int FIELD = 32;

  private final Map<String, String> headers = new LinkedHashMap<>();
  private final List<Field> lines = new ArrayList<>();
  private String method = "";
  private String path = "";
  private String host = "";
  private String scheme = "";
  private String certificate = "";
  private byte[] body = {};
  private int head;

  private CheckRequest() {}

  /** @throws GrpcException if the bytes are not such a message, or it describes a head that is too long */
  static ReportedRequest read(byte[] message) throws GrpcException {
    CheckRequest draft = new CheckRequest();
    for (MessageReader check = new MessageReader(message); check.next();) {
      if (check.field() == 1) {
        draft.attributes(check.message());
      }
    }
    return draft.described();
  }

  private void attributes(MessageReader attributes) throws GrpcException {
    while (attributes.next()) {
      switch (attributes.field()) {
        case 1 -> source(attributes.message());
        case 4 -> request(attributes.message());
        default -> {
        }
      }
    }
  }

  private void source(MessageReader peer) throws GrpcException {
    while (peer.next()) {
      if (peer.field() == 5) {
        certificate = text(peer);
      }
    }
  }

  private void request(MessageReader request) throws GrpcException {
    while (request.next()) {
      if (request.field() == 2) {
        http(request.message());
      }
    }
  }

  private void http(MessageReader http) throws GrpcException {
    while (http.next()) {
      switch (http.field()) {
        case 2 -> method = text(http);
        case 3 -> header(http.message());
        case 4 -> path = text(http);
        case 5 -> host = text(http);
        case 6 -> scheme = text(http);
        case 12 -> body = http.bytes();
        case 13 -> headerMap(http.message());
        default -> {
        }
      }
    }
  }

  private String text(MessageReader member) throws GrpcException {
    count(member.length());
    return member.string();
  }

  private void count(int bytes) throws GrpcException {
    head += bytes;
    if (head > MOST_HEAD) {
      throw new GrpcException(Code.RESOURCE_EXHAUSTED, "the head of the request is longer than 1 MB");
    }
  }

  /** Reads an entry of {@code headers}: one for each name, with all values joined. */
  private void header(MessageReader entry) throws GrpcException {
    count(FIELD);
    String name = "";
    String value = "";
    while (entry.next()) {
      switch (entry.field()) {
        case 1 -> name = text(entry);
        case 2 -> value = text(entry);
        default -> {
        }
      }
    }
    headers.put(name, value);
  }

  /**
   * Reads {@code header_map}, which Envoy sends instead of {@code headers} if it is configured to send fields
   * unchanged: one entry for each line.
   */
  private void headerMap(MessageReader map) throws GrpcException {
    while (map.next()) {
      if (map.field() == 1) {
        lines.add(line(map.message()));
      }
    }
  }

  private Field line(MessageReader header) throws GrpcException {
    count(FIELD);
    String name = "";
    String value = "";
    while (header.next()) {
      switch (header.field()) {
        case 1 -> name = text(header);
        case 2 -> value = Grammar.wire(text(header));
        case 3 -> {
          count(header.length());
          value = new String(header.bytes(), StandardCharsets.ISO_8859_1);
        }
        default -> {
        }
      }
    }
    return new Field(name, value);
  }

  /** Returns the request without the pseudo-header fields of HTTP/2, which have members of their own. */
  private ReportedRequest described() {
    List<Field> fields = new ArrayList<>();
    headers.forEach((name, value) -> fields.add(new Field(name, Grammar.wire(value))));
    fields.addAll(lines);
    fields.removeIf(field -> field.name().startsWith(":") || field.is("Host"));
    return new ReportedRequest(method, scheme, host, path, Fields.of(fields), body, certificate);
  }
}
