package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PemReaderTest {
  @Test
  void readsEntriesHeadersAndSkipsTextAround() throws KeyMaterialException {
    List<PemBlock> blocks = PemReader.blocks("""
        Bag Attributes: none
        -----BEGIN CERTIFICATE-----
        AQID
        -----END CERTIFICATE-----
        between
        -----BEGIN PRIVATE KEY-----
        X-Key-ID: a:b
        Other : x

        AQ
        ID
        BA==
        -----END PRIVATE KEY-----
        """);
    assertEquals(2, blocks.size());
    assertEquals("entry 1 (line 2, `CERTIFICATE`)", blocks.getFirst().place());
    assertArrayEquals(new byte[] {1, 2, 3}, blocks.getFirst().der());
    assertEquals("entry 2 (line 6, `PRIVATE KEY`)", blocks.getLast().place());
    assertEquals(Map.of("X-Key-ID", "a:b", "Other", "x"), blocks.getLast().headers());
    assertArrayEquals(new byte[] {1, 2, 3, 4}, blocks.getLast().der());
  }

  @Test
  void takesLineEndsOfAllSystemsAndBlanksAtLineEnds() throws KeyMaterialException {
    assertEquals(1, PemReader.blocks("-----BEGIN A-----\r\n AQID \r\n-----END A-----").size());
    assertEquals(0, PemReader.blocks("nothing here\n").size());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      -----BEGIN A-----;AQID                                        | entry 1 (line 1, `A`): its end is missing, \
      expected `-----END A-----`
      x;-----BEGIN A-----;AQID;-----END B-----                      | entry 1 (line 2, `A`): line 4: expected \
      `-----END A-----`
      -----BEGIN A-----;AQID;-----BEGIN A-----;AQID;-----END A----- | entry 1 (line 1, `A`): line 3: expected \
      `-----END A-----`
      -----BEGIN A-----;AQ!D;-----END A-----                        | entry 1 (line 1, `A`): line 2: not base64
      -----BEGIN A-----;AQI;-----END A-----                         | entry 1 (line 1, `A`): its base64 is cut or \
      wrongly padded
      -----BEGIN A-----;AQ==;AQID;-----END A-----                   | entry 1 (line 1, `A`): its base64 is cut or \
      wrongly padded
      -----BEGIN A-----;-----END A-----                             | entry 1 (line 1, `A`): it is empty
      -----BEGIN A-----;K: v;;-----END A-----                       | entry 1 (line 1, `A`): it is empty
      -----BEGIN a-----;AQID;-----END a-----                        | line 1: expected `-----BEGIN` with a label in \
      capitals
      x;-----END A-----                                             | line 2: expected `-----BEGIN` with a label in \
      capitals
      ----- BEGIN A-----                                            | line 1: expected `-----BEGIN` with a label in \
      capitals
      """)
  void reportsThePositionOfAnError(String text, String expected) {
    String pem = text.replace(';', '\n');
    assertEquals(expected, assertThrows(KeyMaterialException.class, () -> PemReader.blocks(pem)).getMessage());
  }

  @Test
  void stopsAtTooManyEntries() {
    String pem = "-----BEGIN A-----\nAQID\n-----END A-----\n".repeat(2001);
    assertEquals("line 6001: more than 2000 entries",
        assertThrows(KeyMaterialException.class, () -> PemReader.blocks(pem)).getMessage());
  }
}
