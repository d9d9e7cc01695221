import { A2AError, type Message, type Part, type SendMessageConfiguration } from '@holdword/protocol';
import type { AgentDescription } from '../agent-description.ts';

export const DEFAULT_MODES: readonly string[] = ['text/plain'];

/** Rejects a message whose parts the agent does not accept, or whose sender accepts nothing that the agent produces. */
export function checkMediaTypes(
  agent: AgentDescription,
  message: Message,
  configuration: SendMessageConfiguration,
): void {
  checkInputs(agent.defaultInputModes ?? DEFAULT_MODES, message.parts);
  // An empty list expresses no preference.
  const accepted = configuration.acceptedOutputModes ?? [];
  const outputs = agent.defaultOutputModes ?? DEFAULT_MODES;
  if (
    accepted.length === 0 ||
    accepted.some((wanted) => outputs.some((mode) => matches(mode, wanted) || matches(wanted, mode)))
  )
    return;
  throw new A2AError(
    'CONTENT_TYPE_NOT_SUPPORTED',
    `The agent produces ${outputs.join(', ')}, but acceptedOutputModes only allows ${accepted.join(', ')}. ` +
      "Accept one of the agent's types, or omit acceptedOutputModes.",
    {
      fields: [
        { field: 'configuration.acceptedOutputModes', description: `expected one of ${outputs.join(', ')}` },
      ],
      metadata: { available: outputs.join(', '), accepted: accepted.join(', ') },
    },
  );
}

function checkInputs(inputs: readonly string[], parts: readonly Part[]): void {
  const isRead = (part: Part): boolean => {
    const type = mediaTypeOf(part);
    return inputs.includes(type) || inputs.some((mode) => matches(mode, type));
  };
  if (parts.every(isRead)) return;
  const expected = inputs.join(', ');
  const fields = parts.flatMap((part, index) =>
    isRead(part)
      ? []
      : [
          {
            field: `message.parts[${index}]`,
            description: `expected one of ${expected}, found ${mediaTypeOf(part)}`,
          },
        ],
  );
  throw new A2AError(
    'CONTENT_TYPE_NOT_SUPPORTED',
    `The agent does not accept this content: ${fields[0]?.description}.`,
    { fields, metadata: { supported: expected } },
  );
}

function mediaTypeOf(part: Part): string {
  if (part.mediaType) return bareType(part.mediaType);
  if (part.text !== undefined) return 'text/plain';
  return part.data === undefined ? 'application/octet-stream' : 'application/json';
}

/** Without parameters such as the charset, in lower case. */
function bareType(mediaType: string): string {
  return (mediaType.split(';')[0] as string).trim().toLowerCase();
}

/** A mode may be a media type, a range (`image/*`) or, on informal cards, only the top-level type (`text`). */
function matches(mode: string, wanted: string): boolean {
  const range = bareType(mode);
  const type = bareType(wanted);
  if (range === '*/*' || range === '*' || range === type) return true;
  const first = range.includes('/') ? (range.endsWith('/*') ? range.slice(0, -1) : undefined) : `${range}/`;
  return first !== undefined && type.startsWith(first);
}
