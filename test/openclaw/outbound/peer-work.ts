import { Gates } from '../../support/gates.ts';
import type { ScriptedModel } from '../harness/scripted-model.ts';

export type PeerAlias = 'holdword' | 'sdk' | 'legacy-sdk' | 'openclaw';

/** What an agent can be asked for, and what holds it back: its gates are `ALIAS-slow` and `ALIAS-endless`. */
export interface PeerWork {
  readonly gates: Gates;
  readonly quick: string;
  readonly slow: string;
  readonly endless: string;
}

/** Scripts for the agents that do what a message says. */
export function scriptedWork(alias: PeerAlias, gates: Gates): PeerWork {
  return {
    gates,
    quick: 'artifact answer quick answer; complete',
    slow: `working; wait ${alias}-slow; artifact answer slow answer; complete`,
    endless: `working; wait ${alias}-endless; complete`,
  };
}

/** The same for an agent that asks a model. */
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
