import { createServer, type ServerResponse } from 'node:http';
import { listenAndAnnounce } from './listen-and-announce.ts';
import { chunkText, countedText, countRequest, ECHO_REQUEST, ECHO_TEXT, requestedChunks } from './work.ts';

/**
 * The upper limit of node:http on this machine: parses the request and returns a constant of the size of a real response, or
 * constant frames. No protocol, no task, no storage.
 */
const ID = '3f6c1f6a-5b7e-4f0c-9a53-1f1f0f6f1a01';
const IDS = `"taskId":"${ID}","contextId":"${ID}"`;
const TIMESTAMP = '2026-01-01T00:00:00.000Z';
const STAMP = '"metadata":{"urn:holdword:a2a:resume:v1":{"seq":1}}';

interface JsonRpcRequest {
  id: string;
  method: string;
  params: { message: { parts: { text: string }[] } };
}

const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on('data', (data: Buffer) => body.push(data));
  request.on('end', () => answer(JSON.parse(Buffer.concat(body).toString()), response));
});
await listenAndAnnounce(server);

function answer(request: JsonRpcRequest, response: ServerResponse): void {
  const chunks = requestedChunks(request.params.message.parts[0]?.text ?? '');
  if (chunks === undefined) answerTask(request.id, response);
  else answerStream(request.id, chunks, response);
}

function answerTask(id: string, response: ServerResponse): void {
  const artifacts = `"artifacts":[{"artifactId":"echo","name":"echo","parts":[${part(ECHO_TEXT)}]}]`;
  const history = `"history":[${message('ROLE_USER', ECHO_REQUEST)},${message('ROLE_AGENT', ECHO_TEXT)}]`;
  const body = envelope(
    id,
    `{"task":{"id":"${ID}","contextId":"${ID}",${completed(ECHO_TEXT)},${artifacts},${history}}}`,
  );
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function answerStream(id: string, chunks: number, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  const write = (sequence: number, result: string): boolean =>
    response.write(`id: ${sequence}\ndata: ${envelope(id, result)}\n\n`);
  const history = `"history":[${message('ROLE_USER', countRequest(chunks))}]`;
  write(
    1,
    `{"task":{"id":"${ID}","contextId":"${ID}",${status('TASK_STATE_SUBMITTED')},${history},${STAMP}}}`,
  );
  write(2, `{"statusUpdate":{${IDS},${status('TASK_STATE_WORKING')},${STAMP}}}`);
  for (let number = 1; number <= chunks; number += 1) write(number + 2, artifactUpdate(number));
  write(chunks + 3, `{"statusUpdate":{${IDS},${completed(countedText(chunks))},${STAMP}}}`);
  response.end();
}

function artifactUpdate(number: number): string {
  const artifact = `{"artifactId":"numbers","name":"numbers","parts":[${part(chunkText(number))}]}`;
  return `{"artifactUpdate":{${IDS},"artifact":${artifact},"append":true,${STAMP}}}`;
}

function completed(text: string): string {
  return `"status":{"state":"TASK_STATE_COMPLETED","timestamp":"${TIMESTAMP}","message":${message('ROLE_AGENT', text)}}`;
}

function status(state: string): string {
  return `"status":{"state":"${state}","timestamp":"${TIMESTAMP}"}`;
}

function message(role: string, text: string): string {
  return `{"messageId":"${ID}",${IDS},"role":"${role}","parts":[${part(text)}]}`;
}

function part(text: string): string {
  return JSON.stringify({ text });
}

function envelope(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":"${id}","result":${result}}`;
}
