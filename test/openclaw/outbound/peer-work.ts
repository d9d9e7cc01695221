import { Gates } from '../../support/gates.ts';
import type { ScriptedModel } from '../harness/scripted-model.ts';

export type PeerAlias = 'holdword' | 'sdk' | 'legacy-sdk' | 'openclaw';

/** Messages for an agent, and the gates that block it: `ALIAS-slow` and `ALIAS-endless`. */
export interface PeerWork {
  readonly gates: Gates;
  readonly quick: string;
  readonly slow: string;
  readonly endless: string;
}

/** Messages for agents that follow the script in a message. */
export function scriptedWork(alias: PeerAlias, gates: Gates): PeerWork {
  return {
    gates,
    quick: 'artifact answer quick answer; complete',
    slow: `working; wait ${alias}-slow; artifact answer slow answer; complete`,
    endless: `working; wait ${alias}-endless; complete`,
  };
}

/** The same for an agent with a model. */
export function taughtWork(alias: PeerAlias, model: ScriptedModel): PeerWork {
  const gates = new Gates();
  model.when('be quick', (answer) => answer.text('The quick answer.'));
  for (const pace of ['slow', 'endless']) {
    model.when(`be ${pace}`, async (answer) => {
      await gates.pass(`${alias}-${pace}`);
      answer.text(`The ${pace} answer.`);
    });
  }
  return { gates, quick: 'Please be quick.', slow: 'Please be slow.', endless: 'Please be endless.' };
}
