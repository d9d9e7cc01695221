import type { Call } from '@holdword/runtime';

/** The same call with some of it replaced. Its signal is made on first use, so that it must not be read here. */
export function changeCall(
  call: Call,
  changes: { extensions?: ReadonlySet<string>; idempotencyKey?: string | undefined; signal?: AbortSignal },
): Call {
  const { owner, version, resumeAfter, trace } = call;
  const { extensions = call.extensions, signal } = changes;
  const idempotencyKey = 'idempotencyKey' in changes ? changes.idempotencyKey : call.idempotencyKey;
  return {
    owner,
    extensions,
    ...(version !== undefined && { version }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(resumeAfter !== undefined && { resumeAfter }),
    ...(trace !== undefined && { trace }),
    get signal() {
      return signal ?? call.signal;
    },
  };
}
