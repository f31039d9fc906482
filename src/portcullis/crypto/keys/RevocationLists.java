package portcullis.crypto.keys;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Certificate revocation lists (RFC 5280, 5); immutable. Their signatures are checked when they are used. */
public record RevocationLists(List<X509CRL> lists) {
  private static final String LABEL = "X509 CRL";
  private static final char DER_SEQUENCE = 0x30;

  public static final RevocationLists NONE = new RevocationLists(List.of());

  public RevocationLists {
    lists = List.copyOf(lists);
  }

  /** Reads a file with one list in DER, or at least one in PEM. */
  public static RevocationLists read(Path file) throws KeyMaterialException {
    try {
      String text = KeyFile.text(file);
      return text.startsWith(String.valueOf(DER_SEQUENCE))
          ? new RevocationLists(List.of(list(text.getBytes(StandardCharsets.ISO_8859_1))))
          : parse(text);
    } catch (KeyMaterialException error) {
      throw error.in("revocation list `" + file + "`");
    }
  }

  private static RevocationLists parse(String pem) throws KeyMaterialException {
    List<X509CRL> out = new ArrayList<>();
    for (PemBlock block : PemReader.blocks(pem)) {
      if (!block.label().equals(LABEL)) {
        throw new KeyMaterialException(block.place() + ": expected `" + LABEL + "` only");
      }
      out.add(list(block.der()));
    }
    if (out.isEmpty()) {
      throw new KeyMaterialException("it holds no list, expected at least one `-----BEGIN " + LABEL + "-----`");
    }
    return new RevocationLists(out);
  }

  private static X509CRL list(byte[] der) throws KeyMaterialException {
    try {
      return (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(der));
    } catch (CRLException | CertificateException _) {
      throw new KeyMaterialException("it is not a usable revocation list");
    }
  }

  public boolean isEmpty() {
    return lists.isEmpty();
  }

  /** Returns the lists of both. */
  public RevocationLists and(RevocationLists other) {
    return isEmpty() ? other : new RevocationLists(Stream.concat(lists.stream(), other.lists.stream()).toList());
  }
}
