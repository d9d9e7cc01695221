import { readFile } from 'node:fs/promises';
import { expandVariables } from '@holdword/client';
import { A2AError } from '@holdword/protocol';
import type { Secret } from '../config/config.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a secret. Rejects with an A2AError that says what is missing, and nothing of the secret. */
export async function readSecret(secret: Secret, what: string, environment: Environment): Promise<string> {
  if (typeof secret === 'string') return expandVariables({ [what]: secret }, environment)[what] ?? '';
  let text: string;
  try {
    text = (await readFile(secret.file, 'utf8')).trim();
  } catch (error) {
    throw new A2AError(
      'UNAUTHENTICATED',
      `The file with the ${what} of this target cannot be read. Tell the user.`,
      {
        cause: error,
      },
    );
  }
  if (text !== '' && !/[\r\n\0]/.test(text)) return text;
  throw new A2AError(
    'UNAUTHENTICATED',
    `Expected one line in the file with the ${what} of this target, found ${text === '' ? 'none' : 'more'}. Tell the user.`,
  );
}
