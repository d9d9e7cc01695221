import { startWebServer } from '@holdword/client/testing';
import { createGuardedClient } from '@holdword/net/internal';
import { expect, test } from 'vitest';
import { findCard, readReference } from './find-card.ts';

test.each([
  ['localhost:4310', 'http://localhost:4310/.well-known/agent-card.json'],
  ['127.0.0.1', 'http://127.0.0.1/.well-known/agent-card.json'],
  ['[::1]:8080', 'http://[::1]:8080/.well-known/agent-card.json'],
  ['agent.example', 'https://agent.example/.well-known/agent-card.json'],
  ['https://agent.example', 'https://agent.example/.well-known/agent-card.json'],
  ['https://agent.example/cards/one.json', 'https://agent.example/cards/one.json'],
])('%s is at %s', (reference, url) => {
  expect(readReference(reference, '/work')).toEqual({ url: new URL(url) });
});

test.each([
  ['./card', '/folder/card'],
  ['card.json', '/folder/card.json'],
  ['file:///cards/one.json', '/cards/one.json'],
])('%s is a file', (reference, file) => {
  expect(readReference(reference, '/folder')).toEqual({ file });
});

test.each([
  ['nothing', 404, 'it answered with HTTP status 404'],
  ['a page', 200, 'it is not JSON'],
])(
  'an address with %s suggests the card at the root of its host, and does not use it',
  async (_, status, why) => {
    const { origin } = await startWebServer((request, response) => {
      if (request.url === '/.well-known/agent-card.json')
        response.end('{"name":"Other","supportedInterfaces":[]}');
      else response.writeHead(status).end('<html></html>');
    });
    const found = findCard(
      readReference(`${origin}/broken/`, '/work'),
      (trustedOrigins) => createGuardedClient({ trustedOrigins }),
      '1.0',
    );
    await expect(found).rejects.toMatchObject({
      message: expect.stringContaining(why) as string,
      hint: `A card was found at ${origin}/.well-known/agent-card.json: use -a ${origin} if that is the agent you mean.`,
    });
  },
);
