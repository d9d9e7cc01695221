import type { V03Event } from '@holdword/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { oneLine, shortenText } from '../artifacts/shorten.ts';
import { contentsOfParts } from '../llm/part-content.ts';
import type { ToolResult } from '../tools/tool.ts';

/** The result of a tool for a host. Text only: with structured content as well, some hosts show everything to the model twice. */
export function contentOf(result: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(result) }],
    ...(result['error'] === true && { isError: true }),
  };
}

const MAX_MESSAGE_LENGTH = 200;

/** What an update of a task says, on one short line. */
export function describeUpdate(update: V03Event): string {
  if (update.kind === 'artifact-update') {
    const { name, artifactId } = update.artifact;
    return `artifact ${oneLine(shortenText(name ?? artifactId, MAX_MESSAGE_LENGTH))}`;
  }
  const message = update.kind === 'message' ? update : update.status.message;
  const state = update.kind === 'message' ? 'message' : update.status.state;
  const text = contentsOfParts(message?.parts ?? []).find((content) => content.kind === 'text');
  return text === undefined ? state : `${state}: ${oneLine(shortenText(text.text, MAX_MESSAGE_LENGTH))}`;
}
