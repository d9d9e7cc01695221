// An agent of a fleet in a separate process. It migrates batches, reports each one to its task on the hub, and sends heartbeats.
// It appends a line to the ledger for each batch that it migrates, which is the work that must neither be lost nor done twice.
// Its only argument is a WorkerOrder as JSON.
import { appendFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

export interface WorkerOrder {
  readonly hub: string;
  readonly agentId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ledger: string;
  readonly first: number;
  readonly last: number;
  /** After this batch it only sends heartbeats. */
  readonly stopAfter?: number;
  /** The task to report to: a new one, unless this names a hand-off and its lease. */
  readonly lease?: Readonly<Record<string, unknown>>;
}

const RETRY_MILLISECONDS = 200;
const CADENCE_SECONDS = 5;

const order = JSON.parse(process.argv[2] ?? '{}') as WorkerOrder;

/** Calls the hub, again and again while it is down. The key makes one call of them all. */
async function call(method: string, params: object, key?: string): Promise<Record<string, unknown>> {
  for (;;) {
    try {
      const response = await fetch(`${order.hub}/v1/a2a`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...order.headers,
          ...(key !== undefined && { 'Idempotency-Key': key }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const { result, error } = (await response.json()) as { result?: object; error?: object };
      if (result !== undefined) return result as Record<string, unknown>;
      if (response.status < 500) throw new Error(`Refused: ${JSON.stringify(error)}`);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('Refused')) throw error;
    }
    await pause(RETRY_MILLISECONDS);
  }
}

function message(text: string): object {
  return { message: { role: 'user', parts: [{ kind: 'text', text }] } };
}

async function beat(): Promise<void> {
  await call('heartbeat/bundle', { cadence_seconds: CADENCE_SECONDS });
}

const { agentId, ledger, first, last, stopAfter, lease } = order;
await beat();
const beating = setInterval(() => void beat(), (CADENCE_SECONDS * 1_000) / 2);
const about = lease ?? {
  task_id: (await call('message/send', message(`Migrate batches ${first} to ${last}.`), `${agentId} begins`))[
    'id'
  ],
};
for (let batch = first; batch <= last; batch += 1) {
  await appendFile(ledger, `batch ${batch} by ${agentId}\n`);
  const left =
    batch === last
      ? ['Remaining: none']
      : [`Remaining: batches ${batch + 1} to ${last}`, `Next: migrate batch ${batch + 1}`];
  const report = [`Done: batch ${batch}`, ...left].join('\n');
  await call('message/send', { ...about, ...message(report) }, `batch ${batch}`);
  process.stdout.write(`reported batch ${batch}.\n`);
  if (batch === stopAfter) await new Promise(() => {});
}
clearInterval(beating);
