import type { Store } from '@holdword/store';

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
