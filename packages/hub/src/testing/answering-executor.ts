import { textOfParts } from '@holdword/protocol';
import type { Executor } from '@holdword/runtime';
import { GUIDANCE_ARTIFACT } from '../messages/guidance.ts';

/**
 * An agent controlled by the first word of a message: `ask` asks for input, `fail` fails, `wait` works until it is
 * canceled, `guide` gives next steps; anything else is answered.
 */
export const answeringExecutor: Executor = {
  card: { name: 'Answering', description: 'Answers in tests.' },
  async execute(turn, sink) {
    const text = textOfParts(turn.message.parts);
    const [word] = text.split(' ');
    if (word === 'ask' && turn.task.history?.length === 1) return sink.askInput('Which one?');
    if (word === 'fail') return sink.fail('The disk is full.');
    if (word === 'wait') {
      await sink.status('Working.');
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
      return;
    }
    if (word === 'guide') {
      const data = { next_action: 'Back off.', next_actions: ['Back off.', 'Try once.'] };
      await sink.artifact({ name: GUIDANCE_ARTIFACT, parts: [{ data }] });
    }
    await sink.artifact({ name: 'notes', parts: `Notes on ${text}` });
    await sink.complete(`You said: ${text}`);
  },
};
