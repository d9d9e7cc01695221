import type { Message, Part } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { chatMessages } from './chat-messages.ts';

const OPTIONS = { maxHistory: 50, images: false };

function message(role: Message['role'], ...parts: Part[]): Message {
  return { messageId: 'm', role, parts };
}

const PICTURE: Part = { raw: 'iVBORw==', mediaType: 'image/png' };

test('the texts and data of a message become one text', () => {
  const asked = message('ROLE_USER', { text: 'Sum up:' }, { data: { rows: 2 } });
  expect(chatMessages([asked], OPTIONS)).toEqual([{ role: 'user', content: 'Sum up:\n\n{\n  "rows": 2\n}' }]);
});

test('the newest messages are kept, and always the one to answer', () => {
  const said = [
    message('ROLE_USER', { text: 'one' }),
    message('ROLE_AGENT', { text: 'two' }),
    message('ROLE_USER', { text: 'three' }),
  ];
  expect(chatMessages(said, { ...OPTIONS, maxHistory: 1 }).map(({ content }) => content)).toEqual([
    'two',
    'three',
  ]);
  expect(chatMessages(said, { ...OPTIONS, maxHistory: 0 })).toEqual([{ role: 'user', content: 'three' }]);
});

test('messages without content for the model are left out', () => {
  const said = [message('ROLE_USER', PICTURE), message('ROLE_USER', { text: 'hi' })];
  expect(chatMessages(said, OPTIONS)).toEqual([{ role: 'user', content: 'hi' }]);
});

test('images are sent to a model that accepts them', () => {
  const link: Part = { url: 'https://example.org/a.png', mediaType: 'image/png' };
  const asked = message('ROLE_USER', { text: 'What is this?' }, PICTURE, link);
  expect(chatMessages([asked], { ...OPTIONS, images: true })).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } },
        { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
      ],
    },
  ]);
});
