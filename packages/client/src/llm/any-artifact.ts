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
 * What the functions for models accept: the JSON of A2A 1.0, which the client uses inside, and the JSON of 0.3 with its
 * `kind`, which is what a session hands out and what other A2A libraries hold.
 */

export type AnyPart = Part | V03Part;
export type AnyArtifact = Artifact | V03Artifact;
export type AnyMessage = Message | V03Message;
export type AnyTask = Task | V03Task;
