// Serves this folder, so that the page has an origin: node serve-pages.mjs [PORT]
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8' };
const PAGES = {
  '/': 'index.html',
  '/event-source.html': 'event-source.html',
  '/follow-task.js': 'follow-task.js',
};

const server = createServer((request, response) => {
  const file = PAGES[new URL(request.url, 'http://localhost').pathname];
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': TYPES[extname(file)], 'Cache-Control': 'no-store' });
  createReadStream(new URL(file, import.meta.url)).pipe(response);
});
server.listen(Number(process.argv[2] ?? 4320), '127.0.0.1', () => {
  console.log(`open http://127.0.0.1:${server.address().port}/`);
});
