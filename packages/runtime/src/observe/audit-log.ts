import { isTerminal } from '@parley/protocol';
import type { EndedCall, Observer, StateChange } from './observer.ts';

/** Where lines for an auditor go: who, what, when, with what outcome. Never content. */
export interface AuditLog {
  /** Takes one line of JSON without its end. Returns at once. */
  write(line: string): void;
  /** Resolves when everything written so far is in the file. */
  close(): Promise<void>;
}

/** Writes a line for every state a task comes into and for every call that was refused. */
export function auditingObserver(log: AuditLog): Observer {
  const time = isoClock();
  return {
    stateChanged: (change) => log.write(stateLine(time(), change)),
    callEnded: (call) => {
      if (call.error !== undefined) log.write(refusalLine(call));
    },
  };
}

function stateLine(time: string, { taskId, ownerKey, state, from }: StateChange): string {
  // The owner is JSON already, and several of these lines are written for every message.
  return (
    `{"time":"${time}","event":"state","owner":${ownerKey},"task":${JSON.stringify(taskId)},` +
    `${from === undefined ? '' : `"from":"${from}",`}"state":"${state}","ended":${isTerminal(state)}}`
  );
}

/** The time as text, made once for all lines of a millisecond. */
function isoClock(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}

function refusalLine({ caller, tenant, peer, binding, version, operation, error }: EndedCall): string {
  return JSON.stringify({
    time: new Date().toISOString(),
    event: 'refused',
    owner: caller === undefined ? undefined : [tenant ?? '', caller],
    peer,
    binding,
    version,
    operation,
    outcome: error,
  });
}
