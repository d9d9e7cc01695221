import { isTerminal } from '@holdword/protocol';
import { checkJournal } from '../journal/check-journal.ts';
import { checkOutcome } from '../journal/check-outcome.ts';
import { lastStateOf } from '../journal/frame-state.ts';
import { replay } from '../journal/replay.ts';
import type { Ledger } from '../ledger.ts';
import type { Client } from '../wire/client.ts';
import { settle } from './settle.ts';

/**
 * Reads a task's whole journal and adds violations to the ledger: a task that does not settle (J7), gaps and duplicates (J2),
 * and anything acknowledged that is missing or different (J1).
 */
export async function verifyTask(
  client: Client,
  ledger: Ledger,
  taskId: string,
): Promise<{ firstMessageId: string } | undefined> {
  try {
    const { json, task } = await settle(client, taskId);
    const frames = await replay(client, taskId, task.status.state);
    const problems = [
      ...checkJournal(taskId, frames),
      ...checkOutcome(frames),
      ...ledger.contradictions(taskId, frames, json),
    ];
    if (lastStateOf(frames) !== task.status.state) {
      problems.push(
        `task ${taskId} is ${task.status.state}, but its journal ends with ${lastStateOf(frames)}`,
      );
    }
    ledger.violations.push(...problems);
    if (problems.length === 0 && isTerminal(task.status.state))
      ledger.seal(taskId, frames, task.status.state);
    return { firstMessageId: task.history?.[0]?.messageId ?? 'none' };
  } catch (error) {
    ledger.violations.push(`task ${taskId} cannot be verified: ${String(error)}`);
    return undefined;
  }
}
