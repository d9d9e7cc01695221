import { textOfParts } from '@holdword/protocol';
import type { Executor, Turn } from '@holdword/runtime';
import { ownerKey } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import { Heartbeats } from '../heartbeats/heartbeats.ts';
import { agentOfOwner } from '../identity/identity.ts';
import { GUIDANCE_ARTIFACT, TURN_METADATA, turnMetadataSchema } from '../contracts/guidance.ts';
import { AdviceMemory } from './advice-memory.ts';
import { advise } from './advise.ts';
import { speak } from './speak.ts';
import { toneOfMode } from './tones/tone-of-mode.ts';

export interface ResponderOptions {
  /** Where the hub keeps heartbeats and what was advised. */
  store: Store;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/**
 * Answers for the hub without a model: one calm step at a time.
 *
 * Responsible for saying only what it can show: the words of the message, the figures of the last heartbeat, what was
 * advised before and what the agent reported of it. Leaves tones and steps to the files that hold them.
 */
export function createResponder({ store, now = Date.now }: ResponderOptions): Executor {
  const memory = new AdviceMemory(store);
  const heartbeats = new Heartbeats(store, now);
  return {
    card: {
      name: 'Holdword responder',
      description:
        'Gives agents in trouble one next step, from what their session and their heartbeats hold.',
      version: '1.0.0',
      skills: [
        {
          id: 'next-step',
          name: 'Next step',
          description: 'Says what to do next, and what that rests on.',
          tags: ['incident', 'continuity'],
          examples: ['We are stuck in a retry storm (429). Need a calm next step.', 'That worked.'],
        },
      ],
    },
    async execute(turn, sink) {
      // By the owner of the task, not by what the request says of itself: anybody can write metadata.
      const agentId = agentOfOwner(turn.owner);
      const series = agentId === undefined ? undefined : await heartbeats.read(agentId);
      const { answer, guidance } = await memory.change(agentId ?? ownerKey(turn.owner), (advices) =>
        advise({
          text: textOfParts(turn.message.parts),
          series,
          advices,
          sessionId: turn.contextId,
          taskId: turn.taskId,
          now: now(),
        }),
      );
      await sink.artifact({ name: GUIDANCE_ARTIFACT, parts: [{ data: guidance }], lastChunk: true });
      await sink.complete(speak(toneOfMode(modeOf(turn)), answer));
    },
  };
}

function modeOf({ metadata }: Turn): string | undefined {
  const about = turnMetadataSchema.safeParse(metadata[TURN_METADATA]);
  return about.success ? about.data.mode : undefined;
}
