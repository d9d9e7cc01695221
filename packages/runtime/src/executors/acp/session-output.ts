import type { ContentBlock, SessionUpdate, ToolCall, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { Part } from '@holdword/protocol';
import type { CliOutput } from '../cli-agent/profile.ts';
import { AnswerText } from '../cli-agent/readers/answer-text.ts';

/** Converts the updates of an agent in one turn to output: its answer and its activities. Thoughts are left out. */
export class SessionOutput {
  readonly #answer = new AnswerText();
  readonly #files: Part[] = [];
  readonly #titles = new Map<string, string>();
  #messageId: string | undefined;

  /** The whole answer so far. */
  get parts(): Part[] {
    const text = this.#answer.whole;
    return [...(text === '' ? [] : [{ text }]), ...this.#files];
  }

  add(update: SessionUpdate): CliOutput[] {
    if (update.sessionUpdate === 'agent_message_chunk') {
      this.#followMessage(update.messageId ?? undefined);
      return this.#say(update.content);
    }
    if (update.sessionUpdate === 'tool_call') {
      this.#answer.endMessage();
      this.#titles.set(update.toolCallId, update.title);
      return [doing(update.title, update)];
    }
    if (update.sessionUpdate === 'tool_call_update' && update.status === 'failed') {
      return [doing(`Failed: ${update.title ?? this.#titles.get(update.toolCallId) ?? 'a tool'}`, update)];
    }
    return [];
  }

  #followMessage(messageId: string | undefined): void {
    if (messageId !== this.#messageId) this.#answer.endMessage();
    this.#messageId = messageId;
  }

  #say(content: ContentBlock): CliOutput[] {
    if (content.type === 'text') return this.#answer.add(content.text);
    const part = filePart(content);
    if (part === undefined) return [];
    this.#files.push(part);
    return [{ kind: 'artifact', artifact: { parts: [part], lastChunk: true } }];
  }
}

function doing(text: string, { toolCallId, kind }: ToolCall | ToolCallUpdate): CliOutput {
  return { kind: 'status', text, metadata: { tool: { id: toolCallId, kind: kind ?? 'other' } } };
}

function filePart(content: Exclude<ContentBlock, { type: 'text' }>): Part | undefined {
  if (content.type === 'image' || content.type === 'audio') {
    return { raw: content.data, mediaType: content.mimeType };
  }
  if (content.type === 'resource_link') {
    // A local path is useless to a caller.
    if (!/^https?:/.test(content.uri)) return undefined;
    return {
      url: content.uri,
      filename: content.name,
      ...(content.mimeType && { mediaType: content.mimeType }),
    };
  }
  const { resource } = content;
  const type = resource.mimeType ? { mediaType: resource.mimeType } : {};
  return 'text' in resource ? { text: resource.text, ...type } : { raw: resource.blob, ...type };
}
