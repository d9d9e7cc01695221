import type { IncomingMessage } from 'node:http';

/** What OpenClaw asked the model. */
export interface ModelRequest {
  /** The user's latest message, without what OpenClaw wraps around it. */
  readonly userText: string;
  /** Everything said before in the session, by anybody but the system: what the model can remember. */
  readonly conversation: string;
  /** Results of the tools that were called since that message. */
  readonly toolResults: readonly string[];
  /** The names of the tools it may call. */
  readonly tools: readonly string[];
}

interface ModelMessage {
  role: string;
  content?: string | { text?: string }[] | null;
}

/** OpenClaw adds a user message of its own after the user's. */
const INTERNAL_CONTEXT = /<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>[\s\S]*?<<<END_OPENCLAW_INTERNAL_CONTEXT>>>/g;

/** Reads a request for a chat completion. */
export async function readModelRequest(request: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { messages = [], tools = [] } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
    messages?: ModelMessage[];
    tools?: { function?: { name?: string } }[];
  };
  const said = messages
    .filter(({ role }) => role !== 'system' && role !== 'developer')
    .map((message) => ({ role: message.role, text: textOf(message) }))
    .filter(({ text }) => text !== '');
  const latest = said.findLastIndex(({ role }) => role === 'user');
  return {
    userText: said[latest]?.text ?? '',
    conversation: said
      .slice(0, Math.max(latest, 0))
      .map(({ text }) => text)
      .join('\n'),
    toolResults: said
      .slice(latest + 1)
      .filter(({ role }) => role === 'tool')
      .map(({ text }) => text),
    tools: tools.flatMap((tool) => tool.function?.name ?? []),
  };
}

function textOf({ content }: ModelMessage): string {
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : (content ?? '');
  return text.replaceAll(INTERNAL_CONTEXT, '').trim();
}
