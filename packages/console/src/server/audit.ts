import type { Observer } from '@holdword/runtime';
import type { Audit } from '../api/operations.ts';
import type { Viewer } from './sessions.ts';

/** Writes to the audit log what a viewer has done, with the ids that it is about. */
export type RecordAction = (
  viewer: Viewer,
  peer: string | undefined,
  event: string,
  about: Readonly<Record<string, string | undefined>>,
) => void;

export function createActionRecorder(observer: Observer): RecordAction {
  return ({ ownerKey }, peer, event, about) =>
    observer.fallbackActed?.({ event, ownerKey, agent: undefined, peer, about });
}

/** Where the newest lines of the audit log are read. */
export interface AuditTail {
  /** The newest lines, as JSON, the newest first. */
  read(limit: number): Promise<readonly string[]>;
}

/** The lines as objects; one that was cut off is left out. */
export async function readAudit(tail: AuditTail, limit: number): Promise<Audit> {
  const lines = (await tail.read(limit)).flatMap((line) => {
    try {
      return [JSON.parse(line) as Record<string, unknown>];
    } catch {
      return [];
    }
  });
  return { lines };
}
