import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { hasErrorCode } from '@holdword/protocol/internal';
import { type Log, OutageLog } from '../log.ts';

const CHECK_MILLISECONDS = 2_000;

/** The error, if this process or the machine cannot open another file or accept another connection. */
export function outOfFiles(): unknown {
  try {
    closeSync(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    return hasErrorCode(error, 'EMFILE', 'ENFILE') ? error : undefined;
  }
}

/**
 * Tells the operator when connections are refused because too many files are open. Node drops such connections without an
 * event. Returns a function that ends it.
 */
export function watchOpenFiles(log: Log, milliseconds: number = CHECK_MILLISECONDS): () => void {
  const outage = new OutageLog(log, {
    beginning:
      'New connections are refused, because too many files are open. Raise the limit of the process (ulimit -n, LimitNOFILE), or lower limits.connections.',
    end: 'New connections are accepted again.',
  });
  const timer = setInterval(() => {
    const error = outOfFiles();
    if (error === undefined) outage.succeeded();
    else outage.failed(error);
  }, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
