import { readFile } from 'node:fs/promises';
import { expandVariables } from '@holdword/client/internal';
import { A2AError } from '@holdword/protocol';
import type { Secret } from '../config/config.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a secret.
 *
 * @throws A2AError `UNAUTHENTICATED` that says what is missing and never contains the secret.
 */
export async function readSecret(secret: Secret, what: string, environment: Environment): Promise<string> {
  if (typeof secret === 'string') return expandVariables({ [what]: secret }, environment)[what] ?? '';
  let text: string;
  try {
    text = (await readFile(secret.file, 'utf8')).trim();
  } catch (error) {
    throw new A2AError(
      'UNAUTHENTICATED',
      `The file with the ${what} of this target could not be read. Ask the user to check the auth settings of the target.`,
      {
        cause: error,
      },
    );
  }
  if (text !== '' && !/[\r\n\0]/.test(text)) return text;
  throw new A2AError(
    'UNAUTHENTICATED',
    `The file with the ${what} of this target ${text === '' ? 'is empty' : 'has more than one line'}; expected one line. ` +
      'Ask the user to correct it.',
  );
}
