import { setTimeout as pause } from 'node:timers/promises';
import { ScriptedModel } from '../../openclaw/harness/scripted-model.ts';
import { numbersUpTo } from '../journal/check-outcome.ts';

const PAUSE_MILLISECONDS = 100;

/** A model that understands the commands of the campaigns: `echo`, `count to` and `wait`. */
export async function startCampaignModel(): Promise<ScriptedModel> {
  const model = await ScriptedModel.start();
  model.when('echo ', (answer, { userText }) => answer.text(/echo (.*)/.exec(userText)?.[1] ?? ''));
  model.when('count to', async (answer, { userText }) => {
    const numbers = numbersUpTo(Number(/count to (\d+)/.exec(userText)?.[1])).split('\n');
    // In few chunks, because each is expensive for the gateway; slowly enough to be killed in between.
    for (let start = 0; start < numbers.length && !answer.closed.aborted; start += 50) {
      const piece = numbers.slice(start, start + 50).join('\n');
      answer.text(start + 50 < numbers.length ? `${piece}\n` : piece);
      await pause(PAUSE_MILLISECONDS);
    }
  });
  model.when('wait 3600', (answer) => answer.hang());
  model.when('wait 1', async (answer) => {
    await pause(1_000);
    answer.text('Done.');
  });
  return model;
}
