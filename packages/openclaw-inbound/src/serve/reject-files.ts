import type { Part, SendMessageRequest } from '@holdword/protocol';
import { invalidFields } from '@holdword/protocol/internal';
import type { Operations } from '@holdword/runtime';

/** Rejects messages with files, for agents that accept only text and data. */
export function rejectFiles(operations: Operations): Operations {
  return {
    ...operations,
    sendMessage: async (request, context) => {
      rejectFileParts(request);
      return operations.sendMessage(request, context);
    },
    sendStreamingMessage: async (request, context) => {
      rejectFileParts(request);
      return operations.sendStreamingMessage(request, context);
    },
  };
}

function rejectFileParts({ message }: SendMessageRequest): void {
  const fields = message.parts.flatMap((part, index) =>
    isFile(part)
      ? [{ field: `message.parts[${index}]`, description: 'expected a text or data part, found a file' }]
      : [],
  );
  if (fields.length > 0) throw invalidFields(fields);
}

function isFile({ raw, url }: Part): boolean {
  return raw !== undefined || url !== undefined;
}
