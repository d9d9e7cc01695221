import { expect, test } from 'vitest';
import { readReference } from './find-card.ts';

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
