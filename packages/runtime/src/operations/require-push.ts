import type { Engine } from '../engine/engine.ts';
import type { PushOutbox } from '../push/push-outbox.ts';
import { pushNotSupported } from './push-not-supported.ts';

/** The outbox, or the refusal where notifications are switched off. */
export function requirePush({ push }: Engine): PushOutbox {
  if (push === undefined) throw pushNotSupported();
  return push;
}
