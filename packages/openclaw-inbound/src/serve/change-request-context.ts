import type { RequestContext } from '@holdword/runtime';

/** The same call with some of it replaced. Its signal is made on first use, so that it must not be read here. */
export function changeRequestContext(
  context: RequestContext,
  changes: { extensions?: ReadonlySet<string>; idempotencyKey?: string | undefined; signal?: AbortSignal },
): RequestContext {
  const { owner, version, resumeAfter, trace } = context;
  const { extensions = context.extensions, signal } = changes;
  const idempotencyKey = 'idempotencyKey' in changes ? changes.idempotencyKey : context.idempotencyKey;
  return {
    owner,
    extensions,
    ...(version !== undefined && { version }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(resumeAfter !== undefined && { resumeAfter }),
    ...(trace !== undefined && { trace }),
    get signal() {
      return signal ?? context.signal;
    },
  };
}
