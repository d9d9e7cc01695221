import { expect, test } from 'vitest';
import { mediaTypeOfFile, mediaTypeOfUrl } from './media-type.ts';

test.each([
  ['https://example.com/image.png', 'image/png'],
  ['https://example.com/photo.JPG?size=large&name=x.pdf', 'image/jpeg'],
  ['https://example.com/a.jpeg', 'image/jpeg'],
  ['https://example.com/a.gif#top', 'image/gif'],
  ['https://example.com/a.webp', 'image/webp'],
  ['https://example.com/a.svg', 'image/svg+xml'],
  ['https://example.com/a.pdf', 'application/pdf'],
  ['https://example.com/a.mp4', 'video/mp4'],
  ['https://example.com/a.webm', 'video/webm'],
  ['https://example.com/a.mp3', 'audio/mpeg'],
  ['https://example.com/a.wav', 'audio/wav'],
  ['https://example.com/download?file=a.png', 'application/octet-stream'],
])('%s is %s', (url, mediaType) => {
  expect(mediaTypeOfUrl(new URL(url))).toBe(mediaType);
});

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

test.each([
  ['content, not its name', 'notes.txt', PNG, 'image/png'],
  ['name if the content is not recognized', 'table.csv', Buffer.from('a,b'), 'text/csv'],
  ['name if the content is XML', 'a.svg', Buffer.from('<?xml version="1.0"?><svg/>'), 'image/svg+xml'],
  ['default if neither is recognized', 'data', Buffer.from('?'), 'application/octet-stream'],
])('the type of a file comes from its %s', async (_, name, content, mediaType) => {
  expect(await mediaTypeOfFile(name, content)).toBe(mediaType);
});
