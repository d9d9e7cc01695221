import type { Message, Part } from '@holdword/protocol';
import { promptOf } from '../cli-agent/prompt-of.ts';

/** One message of a conversation as chat completions take it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | ChatPart[];
}

type ChatPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

interface ConversationOptions {
  systemPrompt?: string | undefined;
  maxHistory: number;
  /** Whether the model looks at images; otherwise they are left out. */
  images: boolean;
}

/** The conversation so far, the message to be answered last. That one is always there, however short the history is. */
export function chatMessages(messages: readonly Message[], options: ConversationOptions): ChatMessage[] {
  const kept = messages.slice(-Math.max(1, options.maxHistory + 1));
  const spoken = kept
    .map((message) => chatMessage(message, options.images))
    .filter(({ content }, index) => content.length > 0 || index === kept.length - 1);
  const { systemPrompt } = options;
  return systemPrompt === undefined ? spoken : [{ role: 'system', content: systemPrompt }, ...spoken];
}

function chatMessage({ role, parts }: Message, withImages: boolean): ChatMessage {
  // Endpoints take images from users alone.
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
  const place = raw === undefined ? url : `data:${mediaType};base64,${raw}`;
  return { type: 'image_url', image_url: { url: place } };
}
