import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { startHubScene } from '../testing/start-hub-scene.ts';
import { createResponder } from './responder.ts';
import { ANSWERED_SESSIONS } from './testing/answered-sessions.ts';

test.each(ANSWERED_SESSIONS)('$name', async ({ messages, says, never = [] }) => {
  const store = openMemoryStore();
  const { call, register, now } = await startHubScene(createResponder({ store, now: () => now() }), {
    store,
  });
  const agent = await register('runner-01');
  let answer = '';
  for (const message of messages) {
    if (typeof message === 'string') {
      const result = await call('message/send', { text: message, mode: 'neutral' }, agent);
      const sent = result['messages'] as { parts: { text: string }[] }[];
      answer = sent.flatMap(({ parts }) => parts.map(({ text }) => text)).join('\n');
    } else await call('heartbeat/bundle', { errors_last_hour: message.errors }, agent);
  }
  for (const text of says) expect(answer).toMatch(text);
  for (const text of never) expect(answer).not.toMatch(text);
});
