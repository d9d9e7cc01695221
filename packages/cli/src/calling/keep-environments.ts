import { dirname, join } from 'node:path';
import { makeFolders, replaceSharedFile } from '@holdword/store/internal';
import type { CommandInput } from '../command-line/command.ts';
import { CommandError } from '../usage-error.ts';
import { environmentsFile, userFolder, type Environments } from './environments.ts';
import { writeSecretFile } from './secret-file.ts';

type Input = Pick<CommandInput, 'environment'>;

export async function writeEnvironments({ environment }: Input, environments: Environments): Promise<void> {
  const file = environmentsFile(environment);
  await orFail(file, async () => {
    makeFolders(dirname(file));
    await replaceSharedFile(file, (handle) => handle.writeFile(`${JSON.stringify(environments, null, 2)}\n`));
  });
}

/** Writes a key to a file that only this user can read. Resolves with where it is, as an environment names it. */
export async function keepKey({ environment }: Input, name: string, key: string): Promise<string> {
  const file = join(userFolder(environment), 'keys', name);
  await orFail(file, () => writeSecretFile(file, `${key}\n`));
  return `file:${file}`;
}

/** Writes the card of an agent that publishes none. Resolves with its file. */
export async function keepCard({ environment }: Input, name: string, card: object): Promise<string> {
  const file = join(userFolder(environment), 'cards', `${name}.json`);
  await orFail(file, () => writeSecretFile(file, `${JSON.stringify(card, null, 2)}\n`));
  return file;
}

async function orFail(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new CommandError(
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
