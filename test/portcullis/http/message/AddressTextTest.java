package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.address.Address;

class AddressTextTest {
  @ParameterizedTest
  @CsvSource({"127.0.0.1, 127.0.0.1", "::1, ::1", "::, ::", "1::, 1::", "2001:DB8:0:0:0:0:0:7, 2001:db8::7",
    "1:0:0:2:0:0:0:3, 1:0:0:2::3",
    "1:0:0:2:3:0:0:4, 1::2:3:0:0:4", "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7", "::ffff:10.0.0.1, 10.0.0.1",
    "fe80::00a0, fe80::a0", "1:2:3:4:5:6:7:0, 1:2:3:4:5:6:7:0", "1:0:0:2:3:4:0:0, 1::2:3:4:0:0"})
  void writesAddressesAsTheRfcRecommends(String address, String text) {
    assertEquals(text, AddressText.of(Address.parse(address).orElseThrow()));
  }
}
