import type { JsonObject, Message, Part } from '@holdword/protocol';
import { canonicalJson, ROUTE_KEY } from '@holdword/protocol/internal';
import type { TurnContext } from '../host/host.ts';

/** A message in the host's form. */
export interface TurnInput {
  readonly text: string;
  readonly context: readonly TurnContext[];
  /** Parts with file content. */
  readonly files: readonly Part[];
}

const DATA_ONLY = '[User sent structured data]';
const FILES_ONLY = '[User sent files]';

/**
 * Converts a message: its text parts become the text, everything else becomes attached data. A message without text gets a
 * placeholder; undefined if the message is empty.
 */
export function turnInput(message: Message, requestMetadata: JsonObject): TurnInput | undefined {
  const { parts } = message;
  // For programs that forward messages, not for the model.
  const { [ROUTE_KEY]: _route, ...metadata } = message.metadata ?? {};
  const text = parts.flatMap((part) => (part.text?.trim() ? [part.text] : [])).join('\n\n');
  const files = parts.filter((part) => part.raw !== undefined);
  const data = parts.flatMap(dataOf);
  const body = text || (data.length > 0 ? DATA_ONLY : files.length > 0 ? FILES_ONLY : undefined);
  if (body === undefined) return undefined;
  const context = [
    ...data,
    ...metadataOf('Metadata of the message', metadata),
    ...metadataOf('Metadata of the request', requestMetadata),
  ];
  return { text: body, context, files };
}

function dataOf({ data, url, filename, mediaType, metadata }: Part, index: number): TurnContext[] {
  const number = index + 1;
  const about = metadataOf(`Metadata of part ${number}`, metadata);
  if (data !== undefined) return [{ label: `Data in part ${number}`, data: ordered(data) }, ...about];
  // Not fetched: a caller could make the gateway request addresses of its private network.
  if (url !== undefined) {
    return [{ label: `File in part ${number}`, data: ordered({ url, filename, mediaType }) }, ...about];
  }
  return about;
}

function metadataOf(label: string, metadata: JsonObject | undefined): TurnContext[] {
  return metadata === undefined || Object.keys(metadata).length === 0
    ? []
    : [{ label, data: ordered(metadata) }];
}

/** Sorts keys, so that the same data yields the same prompt. */
function ordered(value: unknown): unknown {
  return JSON.parse(canonicalJson(value)) as unknown;
}
