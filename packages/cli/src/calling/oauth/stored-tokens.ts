import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '@holdword/protocol/internal';
import { z } from 'zod';
import type { CommandInput } from '../../command-line/command.ts';
import { CommandError } from '../../usage-error.ts';
import { configFolder } from '../call-settings.ts';
import { writeSecretFile } from '../secret-file.ts';

const storedTokenSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.number().optional(),
  /** Where it can be renewed, and as which client. */
  tokenUrl: z.string(),
  clientId: z.string(),
  scheme: z.string(),
  scope: z.string().optional(),
});
export type StoredToken = z.infer<typeof storedTokenSchema>;

const fileSchema = z.object({ tokens: z.record(z.string(), storedTokenSchema) });

type Tokens = Readonly<Record<string, StoredToken>>;

/**
 * The tokens that `auth login` got, by agent: each is for one agent and is sent to no other.
 *
 * Responsible for a file that only its user can read. It is replaced as a whole, so that a crash leaves the old one.
 */
export class StoredTokens {
  readonly path: string;

  constructor(environment: CommandInput['environment']) {
    this.path = join(configFolder(environment), 'tokens.json');
  }

  async get(agent: string): Promise<StoredToken | undefined> {
    return (await this.all())[agent];
  }

  async set(agent: string, token: StoredToken): Promise<void> {
    await this.#write({ ...(await this.all()), [agent]: token });
  }

  /** Resolves with whether there was one. */
  async delete(agent: string): Promise<boolean> {
    const { [agent]: found, ...others } = await this.all();
    if (found !== undefined) await this.#write(others);
    return found !== undefined;
  }

  async all(): Promise<Tokens> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return {};
      throw new CommandError(`Cannot read ${this.path}.`, { cause: error });
    }
    try {
      return fileSchema.parse(JSON.parse(text)).tokens;
    } catch (error) {
      throw new CommandError(
        `The file with your logins, ${this.path}, is damaged. Delete it and log in again.`,
        { cause: error },
      );
    }
  }

  #write(tokens: Tokens): Promise<void> {
    return writeSecretFile(this.path, `${JSON.stringify({ tokens }, null, 2)}\n`);
  }
}
