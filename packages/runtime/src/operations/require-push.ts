import type { Engine } from '../engine/engine.ts';
import type { PushOutbox } from '../push/push-outbox.ts';
import { pushNotSupported } from './push-not-supported.ts';

/**
 * The outbox.
 * @throws A2AError PUSH_NOTIFICATION_NOT_SUPPORTED if push notifications are off
 */
export function requirePush({ push }: Engine): PushOutbox {
  if (push === undefined) throw pushNotSupported();
  return push;
}
