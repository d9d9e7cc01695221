import type { Part, SendMessageConfiguration } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import type { AgentDescription } from '../agent-description.ts';
import { userMessage } from '../engine/testing/start-test-engine.ts';
import { checkMediaTypes } from './media-types.ts';

function check(
  modes: Partial<AgentDescription>,
  parts: Part[],
  configuration: SendMessageConfiguration = {},
): void {
  checkMediaTypes({ name: 'a', description: 'b', ...modes }, userMessage('', { parts }), configuration);
}

describe('what the agent accepts', () => {
  test.each<[string[] | undefined, Part]>([
    [undefined, { text: 'plain by default' }],
    [['text/plain'], { text: 'x', mediaType: 'Text/Plain; charset=utf-8' }],
    [['text/*'], { text: 'x', mediaType: 'text/markdown' }],
    [['text'], { text: 'x', mediaType: 'text/markdown' }],
    [['application/json'], { data: { a: 1 } }],
    [['application/octet-stream'], { raw: 'AAAA' }],
    [['IMAGE/PNG'], { url: 'https://example.org/x', mediaType: 'image/png' }],
    [['*/*'], { raw: 'AAAA', mediaType: 'video/mp4' }],
    [['*'], { data: 1 }],
  ])('%j accepts %j', (defaultInputModes, part) => {
    check(defaultInputModes === undefined ? {} : { defaultInputModes }, [part]);
  });

  test.each<[string[] | undefined, Part, string]>([
    [undefined, { data: {} }, 'application/json'],
    [['text/plain'], { text: 'x', mediaType: 'text/html' }, 'text/html'],
    [['image/*'], { text: 'x' }, 'text/plain'],
    [['text'], { text: 'x', mediaType: 'textual/x' }, 'textual/x'],
    [['text/plain'], { raw: 'AAAA' }, 'application/octet-stream'],
  ])('%j rejects %j', (defaultInputModes, part, found) => {
    const modes = defaultInputModes === undefined ? {} : { defaultInputModes };
    const parts = [{ text: 'fine', mediaType: (defaultInputModes ?? ['text/plain'])[0] ?? '' }, part];
    expect(() => check(modes, parts)).toThrow(
      expect.objectContaining({
        code: 'CONTENT_TYPE_NOT_SUPPORTED',
        fields: [{ field: 'message.parts[1]', description: expect.stringContaining(found) }],
      }),
    );
  });
});

describe('what the sender accepts', () => {
  const agent = { defaultOutputModes: ['text/plain', 'application/json'] };

  test.each([
    [[]],
    [['text/plain']],
    [['TEXT/PLAIN']],
    [['image/png', 'application/json']],
    [['text/*']],
    [['*/*']],
    [['text/plain; charset=utf-8']],
  ])('%j can be produced', (acceptedOutputModes) => {
    check(agent, [{ text: 'x' }], { acceptedOutputModes });
  });

  test('an agent that produces a range matches a type within it', () => {
    check({ defaultOutputModes: ['Image/*'] }, [{ text: 'x' }], { acceptedOutputModes: ['image/PNG'] });
  });

  test('nothing in common is rejected, with both lists', () => {
    expect(() => check(agent, [{ text: 'x' }], { acceptedOutputModes: ['image/png'] })).toThrow(
      expect.objectContaining({
        code: 'CONTENT_TYPE_NOT_SUPPORTED',
        fields: [expect.objectContaining({ field: 'configuration.acceptedOutputModes' })],
        metadata: { available: 'text/plain, application/json', accepted: 'image/png' },
      }),
    );
  });
});
