import { isForbiddenUrlError } from '@holdword/net/internal';
import type { TaskPushNotificationConfig } from '@holdword/protocol';
import { invalidFields } from '@holdword/protocol/internal';
import { newId } from '../engine/new-id.ts';
import { ownerKey } from '../owner.ts';
import type { PushOutbox } from '../push/push-outbox.ts';
import type { PushTarget } from '../push/push-targets.ts';
import type { RequestContext } from './request-context.ts';

const LONGEST_ID = 256;
const LONGEST_SECRET = 8192;
/** The characters that are allowed in a header field (RFC 9110, 5.5 and 5.6.2). */
const FIELD_VALUE = /^[\x20-\x7e]*$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * The target that a configuration describes, for events of the task after sequence number `delivered`. `path` leads to
 * the configuration within the request.
 * @throws A2AError INVALID_PARAMS for values that cannot be sent in headers, and for a URL that the policy forbids
 */
export async function pushTargetOf(
  push: PushOutbox,
  config: TaskPushNotificationConfig,
  { taskId, delivered, path }: { taskId: string; delivered: number; path: string },
  context: RequestContext,
): Promise<PushTarget> {
  const version = context.version ?? '1.0';
  const { id, url, token, authentication } = config;
  requireField(`${path}id`, id === undefined || (id.length <= LONGEST_ID && id.isWellFormed()), {
    expected: `an id of at most ${LONGEST_ID} characters`,
  });
  requireField(`${path}token`, isFieldValue(token), { expected: 'visible ASCII characters' });
  requireField(
    `${path}authentication.scheme`,
    authentication === undefined || TOKEN.test(authentication.scheme),
    {
      expected: 'the name of an HTTP authentication scheme, for example Bearer',
    },
  );
  requireField(`${path}authentication.credentials`, isFieldValue(authentication?.credentials), {
    expected: 'visible ASCII characters',
  });
  await requireCallable(push, `${path}url`, url);
  return {
    taskId,
    // A 0.3 client may request its configuration by the task's id only.
    configId: id ?? (version === '0.3' ? taskId : newId()),
    owner: ownerKey(context.owner),
    url,
    ...(token !== undefined && { token }),
    ...(authentication && {
      authentication: {
        scheme: authentication.scheme,
        ...(authentication.credentials !== undefined && { credentials: authentication.credentials }),
      },
    }),
    version,
    ...(context.trace && { trace: context.trace }),
    createdAt: Date.now(),
    delivered,
  };
}

function isFieldValue(text: string | undefined): boolean {
  return text === undefined || (text.length <= LONGEST_SECRET && FIELD_VALUE.test(text));
}

/** The value is not repeated in the error, because it may be a secret. */
function requireField(field: string, isRight: boolean, { expected }: { expected: string }): void {
  if (!isRight) throw invalidFields([{ field, description: `expected ${expected}, found something else` }]);
}

async function requireCallable(push: PushOutbox, field: string, url: string): Promise<void> {
  try {
    await push.checkUrl(url);
  } catch (error) {
    if (!isForbiddenUrlError(error)) throw error;
    throw invalidFields([
      {
        field,
        description: `expected a URL that this agent is allowed to call: ${error.message}`,
      },
    ]);
  }
}
