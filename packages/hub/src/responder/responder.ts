import { textOfParts } from '@holdword/protocol';
import type { Executor, Turn } from '@holdword/runtime';
import { ownerKey } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import { OPEN_STATES } from '../wire/open-states.ts';
import { Heartbeats } from '../heartbeats/heartbeats.ts';
import { agentOfOwner } from '../identity/identity.ts';
import { ASK_FOR_HELP } from '../incidents/incident-kinds.ts';
import { GUIDANCE_ARTIFACT, TURN_METADATA, turnMetadataSchema } from '../messages/guidance.ts';
import { ADVICE_MARK } from '../wire/advice-mark.ts';
import { AdviceMemory } from '../incidents/advice-memory.ts';
import { advise } from './advise.ts';
import { speak } from './tones.ts';

/** Options of {@link createResponder}. */
export interface ResponderOptions {
  /** The store of the hub, which holds heartbeats and earlier advice. */
  store: Store;
  /**
   * Current time in milliseconds since the epoch.
   * @default Date.now
   */
  now?: () => number;
}

/**
 * Creates the hub's built-in agent. It needs no model: it classifies the incident in a message and advises one step at a
 * time.
 *
 * Responsible for basing every statement on evidence: the text of the message, the metrics of the last heartbeat, earlier
 * advice and the outcomes the agent reported. Leaves wording to the tones, and steps to the incident kinds.
 *
 * @example
 * ```ts
 * import { createResponder } from '@holdword/hub';
 * import { openMemoryStore, startRuntime } from '@holdword/runtime';
 *
 * const store = openMemoryStore();
 * await startRuntime({ store, executor: createResponder({ store }) });
 * ```
 */
export function createResponder({ store, now = Date.now }: ResponderOptions): Executor {
  const memory = new AdviceMemory(store);
  const heartbeats = new Heartbeats(store, now);
  return {
    card: {
      name: 'Holdword responder',
      description:
        'Advises agents during an incident: one next step at a time, based on their session and heartbeats.',
      version: '1.0.0',
      // Files and data in a report are evidence for a successor.
      defaultInputModes: ['text/plain', 'application/json', '*/*'],
      skills: [
        {
          id: 'next-step',
          name: 'Next step',
          description: 'Says what to do next and why.',
          tags: ['incident', 'continuity'],
          examples: ['We are stuck in a retry storm (429). Need a calm next step.', 'That worked.'],
        },
      ],
    },
    async execute(turn, sink) {
      // The owner of the task identifies the agent, not the request's metadata, which any client can set.
      const agentId = agentOfOwner(turn.owner);
      const series = agentId === undefined ? undefined : await heartbeats.read(agentId);
      const { answer, guidance } = await memory.change(agentId ?? ownerKey(turn.owner), async (advices) => {
        const situation = {
          text: textOfParts(turn.message.parts),
          series,
          advices,
          sessionId: turn.contextId,
          taskId: turn.taskId,
          canHandOver: false,
          now: now(),
        };
        const advised = advise(situation);
        // Tasks are looked for only if it matters: their list costs more than the rest of an answer.
        return advised.answer.step === ASK_FOR_HELP && (await hasOtherOpenTask(store, turn))
          ? advise({ ...situation, canHandOver: true })
          : advised;
      });
      await sink.artifact({
        name: GUIDANCE_ARTIFACT,
        parts: [{ data: guidance }],
        metadata: { [ADVICE_MARK]: true },
        lastChunk: true,
      });
      await sink.complete(speak(modeOf(turn), answer));
    },
  };
}

/** Whether the agent has a task besides this one that can be offered to others. */
async function hasOtherOpenTask(store: Store, { owner, taskId }: Turn): Promise<boolean> {
  const pages = await Promise.all(
    OPEN_STATES.map((state) => store.listTasks({ owner: ownerKey(owner), state, limit: 2 })),
  );
  return pages.some(({ tasks }) => tasks.some((task) => task.taskId !== taskId));
}

function modeOf({ metadata }: Turn): string | undefined {
  const about = turnMetadataSchema.safeParse(metadata[TURN_METADATA]);
  return about.success ? about.data.mode : undefined;
}
