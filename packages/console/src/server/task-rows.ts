import { agentOfOwner } from '@holdword/hub/internal';
import { textOfParts, type TaskStatus } from '@holdword/protocol';
import { shorten } from '@holdword/protocol/internal';
import { ownerFromKey } from '@holdword/runtime/internal';
import type { TaskHeader } from '@holdword/store';
import type { TaskRow } from '../api/tasks.ts';

const MOST_CHARACTERS = 200;

/** A task in a list, from its header. */
export function toTaskRow(header: TaskHeader): TaskRow {
  const { taskId, contextId, state, owner, createdAt, statusTime, lastSequence } = header;
  const owned = ownerFromKey(owner);
  const { caller, tenant } = owned;
  return {
    id: taskId,
    contextId,
    state,
    owner: { caller, tenant: tenant === '' ? null : tenant, key: owner },
    agent: agentOfOwner(owned) ?? null,
    createdAt: new Date(createdAt).toISOString(),
    statusAt: new Date(statusTime).toISOString(),
    statusText: statusText(header),
    lastSequence,
  };
}

/** The status of a header. */
export function statusOf({ status }: TaskHeader): TaskStatus {
  return JSON.parse(status) as TaskStatus;
}

function statusText(header: TaskHeader): string | null {
  // Most have no message, and need not be parsed.
  if (!header.status.includes('"message"')) return null;
  const text = textOfParts(statusOf(header).message?.parts ?? []);
  return text === '' ? null : shorten(text.replaceAll(/\s+/g, ' '), MOST_CHARACTERS);
}
