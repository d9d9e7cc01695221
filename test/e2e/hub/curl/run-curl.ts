import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const WRITTEN_HOST = 'https://api.delx.ai';

/** Runs a documented command against a hub, with the placeholders filled in, and returns the JSON it prints. */
export async function runCurl(
  baseUrl: string,
  command: string,
  filledIn: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const placeholders = Object.entries(filledIn);
  const complete = placeholders.reduce(
    (text, [name, value]) => text.replaceAll(`<${name}>`, value),
    command.replaceAll(WRITTEN_HOST, baseUrl),
  );
  const { stdout } = await promisify(execFile)('sh', ['-c', complete]);
  const answer: Record<string, unknown> = JSON.parse(stdout);
  return answer;
}
