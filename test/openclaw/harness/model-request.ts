import type { IncomingMessage } from 'node:http';

/** A request of OpenClaw to the model. */
export interface ModelRequest {
  /** The user's latest message, without OpenClaw's additions. */
  readonly userText: string;
  /** All earlier messages of the session except system messages. */
  readonly conversation: string;
  /** Results of tool calls since that message. */
  readonly toolResults: readonly string[];
  /** The names of the available tools. */
  readonly tools: readonly string[];
  /** The system prompt. */
  readonly system: string;
}

interface ModelMessage {
  role: string;
  content?: string | { text?: string }[] | null;
}

/** OpenClaw adds a user message after the user's. */
const INTERNAL_CONTEXT = /<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>[\s\S]*?<<<END_OPENCLAW_INTERNAL_CONTEXT>>>/g;

/** Reads a chat completion request. */
export async function readModelRequest(request: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { messages = [], tools = [] } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
    messages?: ModelMessage[];
    tools?: { function?: { name?: string } }[];
  };
  const said = messages
    .filter((message) => !isSystem(message))
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
    system: messages.filter(isSystem).map(textOf).join('\n'),
  };
}

function isSystem({ role }: ModelMessage): boolean {
  return role === 'system' || role === 'developer';
}

function textOf({ content }: ModelMessage): string {
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : (content ?? '');
  return text.replaceAll(INTERNAL_CONTEXT, '').trim();
}
