import type { Message, Part } from '@holdword/protocol';
import { promptOf } from '../cli-agent/message-input.ts';

/** A message of the chat completions API. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | ChatPart[];
}

type ChatPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

interface ConversationOptions {
  systemPrompt?: string | undefined;
  maxHistory: number;
  /** Whether the model accepts images; otherwise they are left out. */
  images: boolean;
}

/** The conversation, ending with the message to answer, which is always included. */
export function chatMessages(messages: readonly Message[], options: ConversationOptions): ChatMessage[] {
  const kept = messages.slice(-Math.max(1, options.maxHistory + 1));
  const conversation = kept
    .map((message) => chatMessage(message, options.images))
    .filter(({ content }, index) => content.length > 0 || index === kept.length - 1);
  const { systemPrompt } = options;
  return systemPrompt === undefined
    ? conversation
    : [{ role: 'system', content: systemPrompt }, ...conversation];
}

function chatMessage({ role, parts }: Message, withImages: boolean): ChatMessage {
  // The API accepts images only in user messages.
  if (role !== 'ROLE_USER') return { role: 'assistant', content: promptOf(parts, []) };
  const images = withImages ? parts.filter(isImage) : [];
  const text = promptOf(
    parts.filter((part) => !images.includes(part)),
    [],
  );
  if (images.length === 0) return { role: 'user', content: text };
  const texts: ChatPart[] = text === '' ? [] : [{ type: 'text', text }];
  return { role: 'user', content: [...texts, ...images.map(imagePart)] };
}

function isImage({ mediaType = '', raw, url }: Part): boolean {
  return mediaType.startsWith('image/') && (raw !== undefined || url !== undefined);
}

function imagePart({ mediaType = '', raw, url = '' }: Part): ChatPart {
  const location = raw === undefined ? url : `data:${mediaType};base64,${raw}`;
  return { type: 'image_url', image_url: { url: location } };
}
