import { describe, expect, test } from 'vitest';
import { say, sayAndLeave, sendForTask } from '../../e2e/conversation.ts';
import { VERSIONS } from '../../support/drivers/driver.ts';
import type { TokenIssuer } from '../../support/token-issuer.ts';
import { HERMES } from './accounts.ts';
import type { InboundStage } from './inbound-stage.ts';
import { BERT } from './peers.ts';

const TOKENS = { account: 'features' } as const;

/** Peers with JWTs, next to peers with keys. */
export function describeTokens(stage: InboundStage, issuer: () => TokenIssuer): void {
  describe.each(VERSIONS)('a peer with a token, A2A %s', (version) => {
    test('has the tools of its entry and its own tasks, like a peer with a key', async () => {
      stage.model.when('who am I', (answer) => answer.text('Somebody.'));
      const hermes = await stage.driver({ ...TOKENS, version, key: await issuer().sign(HERMES) });
      const bert = await stage.driver({ ...TOKENS, version, key: BERT });
      const toolsFor = async (client: typeof hermes): Promise<readonly string[] | undefined> => {
        await client.send(say('who am I'));
        return stage.model.requestsWith('who am I').at(-1)?.tools;
      };
      expect(await toolsFor(hermes)).toEqual(['write']);
      expect(await toolsFor(bert)).toEqual(['read']);
      const { id } = await sendForTask(hermes, sayAndLeave('who am I'));
      await expect(bert.get({ id })).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
      await expect.poll(async () => (await hermes.get({ id })).status.state).toBe('TASK_STATE_COMPLETED');
    });

    test('is rejected if its subject is unknown or its signature is invalid', async () => {
      const { sign, forge } = issuer();
      const refused = { ...TOKENS, version, client: 'raw' } as const;
      const unknown = await stage.driver({ ...refused, key: await sign('nobody@example.com') });
      await expect(unknown.send(say('let me in'))).rejects.toMatchObject({ httpStatus: 403 });
      const forger = await stage.driver({ ...refused, key: await forge(HERMES) });
      await expect(forger.send(say('let me in'))).rejects.toMatchObject({ httpStatus: 401 });
      expect(stage.model.requestsWith('let me in')).toEqual([]);
    });
  });
}
