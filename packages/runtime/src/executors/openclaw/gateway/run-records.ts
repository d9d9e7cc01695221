import type { Store } from '@holdword/store';
import { numberAt, parseJson, textAt } from '../../json-value.ts';
import type { RunRequest } from './run-request.ts';

const NAMESPACE = 'openclaw-runs';

/** Which runs were submitted to which boot of the gateway. Survives a restart of this server, as the runs do. */
export class RunRecords {
  readonly #records: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;

  constructor(records: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>) {
    this.#records = records;
  }

  async find(runId: string): Promise<Pick<RunRequest, 'bootId' | 'sentAt'> | undefined> {
    const record = parseJson((await this.#records.getRecord(NAMESPACE, runId)) ?? '');
    const sentAt = numberAt(record, 'sentAt');
    return sentAt === undefined ? undefined : { sentAt, bootId: textAt(record, 'bootId') };
  }

  async remember({ runId, bootId, sentAt }: RunRequest): Promise<void> {
    await this.#records.putRecord(NAMESPACE, runId, JSON.stringify({ bootId, sentAt }));
  }

  async forget(runId: string): Promise<void> {
    await this.#records.deleteRecord(NAMESPACE, runId);
  }
}
