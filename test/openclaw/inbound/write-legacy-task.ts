import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const TIME = '2026-05-01T10:00:03.000Z';

/** Writes a finished task to a folder like the legacy plugin, and returns its id. */
export async function writeLegacyTask(folder: string, schemaVersion: 1 | 2, said: string): Promise<string> {
  const taskId = randomUUID();
  const about = { taskId, contextId: 'support' };
  const parts = [{ kind: 'text', text: said }];
  const message = { kind: 'message', messageId: randomUUID(), role: 'agent', parts, ...about };
  const status = { state: 'completed', message, timestamp: TIME };
  const task = { kind: 'task', id: taskId, contextId: about.contextId, status, artifacts: [], history: [] };
  const binding = {
    schemaVersion: 1,
    agentId: 'main',
    channel: 'a2a',
    accountId: 'default',
    matchedBy: 'default',
    sessionKey: 'agent:main:a2a:default:direct:support',
    mainSessionKey: 'agent:main:main',
    storePath: '/var/lib/openclaw/sessions.json',
    peer: { kind: 'direct', id: 'support', source: 'context-id' },
    createdAt: TIME,
    updatedAt: TIME,
  };
  const journal = [{ sequence: 1, event: { kind: 'status-update', ...about, status, final: true } }];
  const record = {
    schemaVersion,
    task,
    binding,
    ...(schemaVersion === 2 && { currentSequence: 1, journal }),
  };
  const name = `${Buffer.from(taskId).toString('base64url')}.json`;
  await writeFile(join(folder, name), JSON.stringify(record));
  return taskId;
}
