import { agentCardSchema } from '@holdword/protocol/internal';
import { expect } from 'vitest';
import { callHttp } from '../../support/drivers/http-client.ts';
import { SCRIPTED_CARD, scriptedAgent } from '../../support/scripted-agent.ts';
import { say, sendForTask } from '../conversation.ts';
import { expectError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const REQUIRED = 'https://extensions.example/required/v1';
const OPTIONAL = 'https://extensions.example/optional/v1';

const executor = scriptedAgent({
  ...SCRIPTED_CARD,
  extensions: [
    { uri: REQUIRED, required: true, params: { level: 2 } },
    { uri: OPTIONAL, description: 'May be used.' },
  ],
});
const declaring = (...uris: string[]) => ({ headers: { 'A2A-Extensions': uris.join(', ') } });

scenarios('An agent that declares extensions', { executor }, ({ scenario, check }) => {
  check(
    { it: 'has them on its card', covers: ['EXTENSION-DECLARED'], surfaces: ['CARD'] },
    async ({ target }) => {
      const { body } = await callHttp({ url: `${target.baseUrl}/.well-known/agent-card.json` });
      expect(agentCardSchema.parse(JSON.parse(body)).capabilities.extensions).toEqual(
        expect.arrayContaining([
          { uri: REQUIRED, required: true, params: { level: 2 } },
          { uri: OPTIONAL, description: 'May be used.' },
        ]),
      );
    },
  );

  scenario(
    {
      it: 'refuses requests without the one that it requires',
      covers: ['EXTENSION-REQUIRED', 'ERROR-CODES'],
    },
    async ({ driver }) => {
      const lacking = declaring(OPTIONAL);
      await expectError(driver, 'EXTENSION_SUPPORT_REQUIRED', driver.send(say('complete')));
      await expectError(driver, 'EXTENSION_SUPPORT_REQUIRED', driver.get({ id: 't-1' }, lacking));
    },
  );

  scenario({ it: 'serves requests that declare it', covers: ['EXTENSION-REQUIRED'] }, async ({ driver }) => {
    const { id } = await sendForTask(driver, say('complete'), declaring(REQUIRED));
    expect(await driver.get({ id }, declaring(OPTIONAL, REQUIRED))).toMatchObject({ id });
  });
});
