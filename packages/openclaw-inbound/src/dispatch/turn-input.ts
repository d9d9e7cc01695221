import type { JsonObject, Message, Part } from '@holdword/protocol';
import { canonicalJson, ROUTE_KEY } from '@holdword/protocol/internal';
import type { TurnContext } from '../host/host-turn.ts';

/** A message as the host takes one. */
export interface TurnInput {
  readonly text: string;
  readonly context: readonly TurnContext[];
  /** Parts that carry a file's bytes. */
  readonly files: readonly Part[];
}

const DATA_ALONE = '[User sent structured data]';
const FILES_ALONE = '[User sent files]';

/**
 * What a message says: its texts are the message, and everything else is data that came with it. A message without a
 * word stands for what it brings; undefined when it brings nothing.
 */
export function turnInput(message: Message, requestMetadata: JsonObject): TurnInput | undefined {
  const { parts } = message;
  // For programs that pass messages on, not for the model.
  const { [ROUTE_KEY]: _route, ...metadata } = message.metadata ?? {};
  const text = parts.flatMap((part) => (part.text?.trim() ? [part.text] : [])).join('\n\n');
  const files = parts.filter((part) => part.raw !== undefined);
  const data = parts.flatMap(dataOf);
  const words = text || (data.length > 0 ? DATA_ALONE : files.length > 0 ? FILES_ALONE : undefined);
  if (words === undefined) return undefined;
  const context = [
    ...data,
    ...metadataOf('Metadata of the message', metadata),
    ...metadataOf('Metadata of the request', requestMetadata),
  ];
  return { text: words, context, files };
}

function dataOf({ data, url, filename, mediaType, metadata }: Part, index: number): TurnContext[] {
  const number = index + 1;
  const about = metadataOf(`Metadata of part ${number}`, metadata);
  if (data !== undefined) return [{ label: `Data in part ${number}`, data: ordered(data) }, ...about];
  // A gateway that fetched what strangers name would reach into its owner's network.
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

/** The same data gives the same prompt, whatever the order of its names. */
function ordered(value: unknown): unknown {
  return JSON.parse(canonicalJson(value)) as unknown;
}
