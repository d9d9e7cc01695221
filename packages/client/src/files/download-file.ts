import type { FileHandle } from 'node:fs/promises';
import {
  isConnectionError,
  isForbiddenUrlError,
  type GuardedClient,
  type OpenedResponse,
} from '@holdword/net/internal';
import { Deadline } from '@holdword/protocol/internal';
import { formatCount } from '../artifacts/shorten.ts';
import { FileProblem } from './file-store.ts';

export interface DownloadLimits {
  readonly maxBytes: number;
  /** For the whole download. */
  readonly timeoutMilliseconds: number;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Downloads a URL to a file. The client checks every address, including those of redirects. Throws FileProblem. */
export async function downloadFile(
  client: GuardedClient,
  url: string,
  handle: FileHandle,
  limits: DownloadLimits,
  taskSignal?: AbortSignal,
): Promise<void> {
  using deadline = new Deadline(limits.timeoutMilliseconds);
  const signal = taskSignal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, taskSignal]);
  try {
    const response = await follow(client, url, limits, signal);
    try {
      await writeBody(response, handle, limits.maxBytes);
    } finally {
      response.close();
    }
  } catch (error) {
    checkTime(taskSignal);
    if (deadline.signal.aborted) {
      throw new FileProblem(`the download took more than ${limits.timeoutMilliseconds / 1000} seconds`);
    }
    if (isForbiddenUrlError(error)) throw new FileProblem(`its URL is not allowed: ${error.message}`);
    throw isConnectionError(error) ? new FileProblem(error.message) : error;
  }
}

async function follow(
  client: GuardedClient,
  url: string,
  { timeoutMilliseconds }: DownloadLimits,
  signal: AbortSignal,
): Promise<OpenedResponse> {
  let next = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await client.open({
      url: next,
      method: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      timeoutMilliseconds,
      signal,
    });
    if (!REDIRECTS.has(response.status)) return response;
    response.close();
    const { location } = response.headers;
    if (typeof location !== 'string') throw new FileProblem('the server sent a redirect without a location');
    next = new URL(location, next).href;
  }
  throw new FileProblem(`the server sent more than ${MAX_REDIRECTS} redirects`);
}

async function writeBody(response: OpenedResponse, handle: FileHandle, maxBytes: number): Promise<void> {
  if (response.status < 200 || response.status > 299) {
    throw new FileProblem(`the server responded with status ${response.status}`);
  }
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new FileProblem('the server compressed it although it was asked not to');
  checkSize(Number(response.headers['content-length'] ?? 0), maxBytes);
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    checkSize(size, maxBytes);
    await handle.writeFile(chunk);
  }
}

/** Throws FileProblem if the time for all files is up. */
export function checkTime(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new FileProblem('the files of this result take too long to save');
}

export function checkSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new FileTooLarge(maxBytes);
}

export class FileTooLarge extends FileProblem {
  constructor(maxBytes: number) {
    super(`it is larger than ${formatCount(maxBytes)} bytes`);
  }
}
