import type { Ledger } from '../ledger.ts';
import type { Client } from '../wire/client.ts';

/** A restart does not change a task that waits for its user: it is still the one that was returned (J7). */
export async function verifyWaiting(client: Client, ledger: Ledger): Promise<number> {
  const waiting = [...ledger.waiting];
  for (const [taskId, answered] of waiting) {
    const present = await client.getTask(taskId);
    if (present !== answered) {
      ledger.violations.push(`task ${taskId} waited as ${answered} and is now ${present}`);
    }
  }
  return waiting.length;
}
