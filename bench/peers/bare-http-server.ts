import { createServer, type ServerResponse } from 'node:http';
import { chunkText, ECHO_TEXT, requestedChunks } from './work.ts';
import { listenAndAnnounce } from './listen-and-announce.ts';

/**
 * The ceiling of node:http on this machine: reads the body, parses it and answers with a constant of the size of a real
 * answer, or with constant frames. No protocol, no task, nothing kept.
 */
const TASK = '3f6c1f6a-5b7e-4f0c-9a53-1f1f0f6f1a01';
const IDS = `"taskId":"${TASK}","contextId":"${TASK}"`;
const MESSAGE = `{"messageId":"bench-0000000000","role":"ROLE_USER","parts":[{"text":"echo ${ECHO_TEXT}"}]}`;
const ARTIFACTS = `[{"artifactId":"${TASK}","parts":[{"text":"${ECHO_TEXT}"}]}]`;

interface JsonRpcRequest {
  id: string;
  method: string;
  params: { message: { parts: { text: string }[] } };
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => answer(JSON.parse(Buffer.concat(parts).toString()), response));
});
await listenAndAnnounce(server);

function answer(request: JsonRpcRequest, response: ServerResponse): void {
  const chunks = requestedChunks(request.params.message.parts[0]?.text ?? '');
  if (chunks === undefined) answerTask(request.id, response);
  else answerStream(request.id, chunks, response);
}

function answerTask(id: string, response: ServerResponse): void {
  const body = envelope(id, `{"task":${task('TASK_STATE_COMPLETED', `"artifacts":${ARTIFACTS},`)}}`);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function answerStream(id: string, chunks: number, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  const write = (sequence: number, result: string): boolean =>
    response.write(`id: ${sequence}\ndata: ${envelope(id, result)}\n\n`);
  write(1, `{"task":${task('TASK_STATE_SUBMITTED', '')}}`);
  write(2, statusUpdate('TASK_STATE_WORKING'));
  for (let number = 1; number <= chunks; number += 1) write(number + 2, artifactUpdate(number));
  write(chunks + 3, statusUpdate('TASK_STATE_COMPLETED'));
  response.end();
}

function task(state: string, artifacts: string): string {
  return `{"id":"${TASK}","contextId":"${TASK}","status":${status(state)},${artifacts}"history":[${MESSAGE}]}`;
}

function statusUpdate(state: string): string {
  return `{"statusUpdate":{${IDS},"status":${status(state)}}}`;
}

function artifactUpdate(number: number): string {
  const text = JSON.stringify(chunkText(number));
  return `{"artifactUpdate":{${IDS},"artifact":{"artifactId":"${TASK}","parts":[{"text":${text}}]},"append":true}}`;
}

function status(state: string): string {
  return `{"state":"${state}","timestamp":"2026-01-01T00:00:00.000Z"}`;
}

function envelope(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":"${id}","result":${result}}`;
}
