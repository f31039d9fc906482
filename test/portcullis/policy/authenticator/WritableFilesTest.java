package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import portcullis.crypto.apikeys.ApiKeyTable;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.passwords.UserTable;
import portcullis.crypto.session.SessionKeys;

/** Files by which any user of the machine could give themselves access. */
class WritableFilesTest {
  @TempDir
  private Path folder;

  @Test
  void filesOfCredentialsThatEverybodyMayWriteAreRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "0b".repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    for (Executable read : List.<Executable>of(() -> SessionKeys.read(file), () -> ApiKeyTable.read(file),
        () -> UserTable.read(file))) {
      assertEquals("everybody may write it, as `chmod 600` prevents",
          assertThrows(KeyMaterialException.class, read).getMessage());
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    SessionKeys.read(file);
  }
}
