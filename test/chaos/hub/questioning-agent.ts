import { textOfParts } from '@holdword/protocol';
import type { Executor } from '@holdword/runtime';

/** Asks what comes next after every message, until one says `finish`: a task with as many steps as it is given. */
const questioningAgent: Executor = {
  async execute({ message }, sink) {
    const text = textOfParts(message.parts);
    await sink.artifact({ artifactId: 'steps', append: true, parts: `${text}\n` });
    if (text.endsWith('finish')) await sink.complete('Finished.');
    else await sink.askInput('What comes next?');
  },
};

export default questioningAgent;
