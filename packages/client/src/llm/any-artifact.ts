import type {
  Artifact,
  Message,
  Part,
  Task,
  V03Artifact,
  V03Message,
  V03Part,
  V03Task,
} from '@holdword/protocol';

/*
 * What the functions for models accept: JSON of A2A 1.0, which the client uses internally, and JSON of 0.3 with its `kind`,
 * which sessions and other A2A libraries return.
 */

/** A part of A2A 1.0 or 0.3. */
export type AnyPart = Part | V03Part;
/** An artifact of A2A 1.0 or 0.3. */
export type AnyArtifact = Artifact | V03Artifact;
/** A message of A2A 1.0 or 0.3. */
export type AnyMessage = Message | V03Message;
/** A task of A2A 1.0 or 0.3. */
export type AnyTask = Task | V03Task;
