import type { JsonObject } from '@holdword/protocol';

export interface MessageOptions {
  taskId?: string;
  contextId?: string;
  returnImmediately?: boolean;
}

/** A request that sends one text. The label is its messageId, so that a repeated send is the same message. */
export function messageRequest(text: string, label: string, options: MessageOptions = {}): JsonObject {
  const { returnImmediately, ...ids } = options;
  return {
    message: { role: 'ROLE_USER', messageId: label, parts: [{ text }], ...ids },
    ...(returnImmediately === true && { configuration: { returnImmediately } }),
  };
}
