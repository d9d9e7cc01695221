import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Store } from '@holdword/store';
import { makeFolders } from '@holdword/store/internal';
import { ownerKey } from '../../owner.ts';
import type { Owner } from '../../owner.ts';
import type { WorkingDirectory } from './cli-agent-options.ts';

const NAMESPACE = 'cli-sessions';

/** Which session of a program continues which context. Survives a restart of the server, as the sessions do. */
export class ContextSessions {
  readonly #records: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  readonly #profile: string;

  constructor(records: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>, profile: string) {
    this.#records = records;
    this.#profile = profile;
  }

  find(folderName: string): Promise<string | undefined> {
    return this.#records.getRecord(NAMESPACE, this.#keyOf(folderName));
  }

  async remember(folderName: string, sessionId: string): Promise<void> {
    await this.#records.putRecord(NAMESPACE, this.#keyOf(folderName), sessionId);
  }

  async forget(folderName: string): Promise<void> {
    await this.#records.deleteRecord(NAMESPACE, this.#keyOf(folderName));
  }

  #keyOf(folderName: string): string {
    return `${this.#profile}/${folderName}`;
  }
}

/** A file name for a context of an owner. Two owners can use the same context id, and stay separate (J9). */
export function contextFolderName(owner: Owner, contextId: string): string {
  return createHash('sha256')
    .update(ownerKey(owner))
    .update('\n')
    .update(contextId)
    .digest('hex')
    .slice(0, 32);
}

/** The working directory of the program for a context. The folder of a context is created on first use. */
export function workingDirectoryFor(choice: WorkingDirectory, folderName: string): string {
  if ('fixed' in choice) return resolve(choice.fixed);
  const folder = resolve(join(choice.perContextIn, folderName));
  makeFolders(folder);
  return folder;
}
