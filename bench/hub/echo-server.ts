// A plain JSON-RPC echo on node:http: parses the request and returns its parameters. No storage, no authentication.
import { createServer } from 'node:http';
import { listenAndAnnounce } from '../peers/listen-and-announce.ts';

const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on('data', (data: Buffer) => body.push(data));
  request.on('end', () => {
    const { id, params }: { id: unknown; params: unknown } = JSON.parse(Buffer.concat(body).toString());
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: params });
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
await listenAndAnnounce(server);
