import type { Artifact, Task } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { Sink } from '@holdword/runtime';
import type { ToolEvent } from '../host/host.ts';
import { turnNumber } from './assistant-output.ts';

/** A tool call as far as the journal knows it. */
export interface KnownCall {
  readonly name: string;
  /** How it ended; undefined if that is unknown. */
  readonly status: string | undefined;
}

const MAX_CALLS = 10;
/** A call whose result nobody will report. */
export const INTERRUPTED_CALL = { phase: 'result', status: 'interrupted' } as const;
export const RESULT_UNKNOWN = 'The gateway ended the run before the call returned. Its result is unknown.';

/**
 * The tool calls that belong to the current turn of a task. A call is in the journal before it runs. Unfinished calls of
 * earlier turns count too: a run that waited for an approval continues in the next turn.
 */
export function knownCalls(task: Task): KnownCall[] {
  const turn = turnNumber(task);
  return (task.artifacts ?? []).filter(isCall).flatMap(({ metadata, parts }) => {
    const call = asObject(parts[0]?.data);
    const known = knownCall({
      name: typeof call['tool'] === 'string' ? call['tool'] : 'a tool',
      phase: call['phase'] === 'result' ? 'result' : 'start',
      status: typeof call['status'] === 'string' ? call['status'] : undefined,
    });
    return metadata?.['turn'] === turn || known.status === undefined ? [known] : [];
  });
}

export function knownCall({
  name,
  phase,
  status = 'ended',
}: Pick<ToolEvent, 'name' | 'phase' | 'status'>): KnownCall {
  return { name, status: phase === 'result' ? status : undefined };
}

function isCall({ metadata }: Artifact): boolean {
  return metadata?.['source'] === 'tool-progress';
}

/**
 * Closes the calls that an earlier run left open, so that no reader waits for their result. They keep their turn: they are not
 * calls of the current one.
 */
export async function closeOpenCalls(
  { artifacts = [] }: Task,
  sink: Sink,
  reasonOf: (callId: unknown) => string,
): Promise<void> {
  for (const { parts, ...artifact } of artifacts.filter(isCall)) {
    const call = asObject(parts[0]?.data);
    if (call['phase'] === 'result') continue;
    const data = { ...call, ...INTERRUPTED_CALL, reason: reasonOf(call['callId']) };
    await sink.artifact({ ...artifact, parts: { data }, lastChunk: true });
  }
}

/** Ends a turn that was interrupted, saying what is known about its tools. */
export async function failInterrupted(
  sink: Sink,
  { cause, errors = [], calls }: { cause: string; errors?: readonly string[]; calls: readonly KnownCall[] },
): Promise<void> {
  const text = `Interrupted: ${cause}. ${advice(calls)}`;
  await sink.status([...errors, text].join('\n\n'), {
    state: 'TASK_STATE_FAILED',
    metadata: { reason: 'interrupted' },
  });
}

function advice(calls: readonly KnownCall[]): string {
  if (calls.length === 0) return 'No tool calls were recorded. Send the message again.';
  const shown = calls
    .slice(0, MAX_CALLS)
    .map(({ name, status }) => `${name} (${status ?? 'result unknown'})`);
  const more = calls.length > MAX_CALLS ? ` and ${calls.length - MAX_CALLS} more` : '';
  return `Recorded tool calls: ${shown.join(', ')}${more}. Check what they did, then send the message again.`;
}
