import { textOfParts } from '@holdword/protocol';
import type { Executor } from '@holdword/runtime';

/** Keeps a task open for the reports of its agents, until one of them says that nothing remains. */
const ledgerAgent: Executor = {
  async execute({ message }, sink) {
    if (textOfParts(message.parts).includes('Remaining: none')) await sink.complete();
    else await sink.status(undefined, { state: 'TASK_STATE_INPUT_REQUIRED' });
  },
};

export default ledgerAgent;
