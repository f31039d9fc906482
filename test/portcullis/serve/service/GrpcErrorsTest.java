package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import portcullis.http.grpc.Code;

class GrpcErrorsTest {
  /** OpenTelemetry, semantic conventions for gRPC: the statuses with which a span of a server has an error. */
  @Test
  void statusesThatAreErrorsOfTheServer() {
    assertEquals(List.of(Code.UNKNOWN, Code.DEADLINE_EXCEEDED, Code.UNIMPLEMENTED, Code.INTERNAL, Code.UNAVAILABLE,
        Code.DATA_LOSS), Stream.of(Code.values()).filter(GrpcTelemetry::isError).toList());
  }
}
