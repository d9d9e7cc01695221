import type { JsonObject } from '@holdword/protocol';
import type { Reply } from '../calls/reply.ts';

/** The outcome of an action, before it is formatted for programs and for the model. */
export interface Outcome {
  readonly summary: JsonObject;
  readonly raw: unknown;
  /** The agents' replies, in the order of the summary's branches; one for actions on a single target. */
  readonly replies: readonly (Reply | undefined)[];
}
