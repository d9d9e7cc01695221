import type { JsonObject } from '@holdword/protocol';
import type { Reply } from '../calls/reply.ts';

/** What an action gives, before it is made ready for programs and for the model. */
export interface Outcome {
  readonly summary: JsonObject;
  readonly raw: unknown;
  /** What agents answered, by its place in the summary's branches; one for the actions on one target. */
  readonly replies: readonly (Reply | undefined)[];
}
