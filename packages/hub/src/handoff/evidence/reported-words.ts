import { shorten } from '@holdword/protocol/internal';
import { withoutSecrets } from '@holdword/runtime/internal';

/** Secrets are redacted before the text is cut: half a secret would not be recognized. */
const READ_AHEAD = 200;

/** How people write a password in a sentence; the forms of programs are known to `withoutSecrets`. */
const SPOKEN =
  /(?<=(?<!\p{L})(?:password|passwd|passphrase|secret|token|api key|passwort|kennwort|contraseña|clave|senha|mot de passe|пароль|密码|パスワード)(?: (?:is|ist|es|é|est|lautet|for \S{1,40} is))?(?: ?[:：=] ?| (?=\S{0,40}\d)))[^\s,;]{4,}/giu;

/** What somebody wrote, for a packet: without secrets, and shortened. The journal has the full text. */
export function reportedWords(text: string, maxLength: number): string {
  const read = text.slice(0, maxLength + READ_AHEAD);
  return shorten(withoutSecrets(read, {}).replaceAll(SPOKEN, '[redacted]'), maxLength);
}
