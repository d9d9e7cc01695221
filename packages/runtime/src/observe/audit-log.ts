import { isTerminal } from '@holdword/protocol';
import { isoTime } from '../iso-time.ts';
import type { EndedRequest, Observer, FallbackRejection, StateChange } from './observer.ts';

/** Where audit lines go: who, what, when, with what outcome. Never content. */
export interface AuditLog {
  /** Writes one line of JSON, without its line break. Returns immediately. */
  write(line: string): void;
  /** Resolves when everything written so far is in the file. */
  close(): Promise<void>;
}

/** Writes a line for every state of a task and for every rejected request. */
export function auditingObserver(log: AuditLog): Observer {
  return {
    stateChanged: (change) => log.write(stateLine(change)),
    requestEnded: (call) => {
      if (call.error !== undefined) log.write(refusalLine(call));
    },
    fallbackRejected: (refusal) => log.write(fallbackLine(refusal)),
  };
}

let lastBeginning = { time: '', ownerKey: '', text: '' };

function stateLine({ taskId, ownerKey, state, from }: StateChange): string {
  return (
    `${beginningOf(isoTime(), ownerKey)}${JSON.stringify(taskId)},` +
    `${from === undefined ? '' : `"from":"${from}",`}"state":"${state}","ended":${isTerminal(state)}}`
  );
}

/** Cached: every message writes several of these lines. */
function beginningOf(time: string, ownerKey: string): string {
  if (time !== lastBeginning.time || ownerKey !== lastBeginning.ownerKey) {
    // The owner is already JSON.
    lastBeginning = {
      time,
      ownerKey,
      text: `{"time":"${time}","event":"state","owner":${ownerKey},"task":`,
    };
  }
  return lastBeginning.text;
}

function refusalLine({ caller, tenant, peer, binding, version, operation, error }: EndedRequest): string {
  return JSON.stringify({
    time: isoTime(),
    event: 'refused',
    owner: caller === undefined ? undefined : [tenant ?? '', caller],
    peer,
    binding,
    version,
    operation,
    outcome: error,
  });
}

function fallbackLine({ named, peer, operation, code }: FallbackRejection): string {
  return JSON.stringify({ time: isoTime(), event: 'refused', named, peer, operation, outcome: code });
}
