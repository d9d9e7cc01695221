// Writes a message: a text, data as JSON, files, and the skill that it is for.
import type { Part } from '@holdword/protocol';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visibleLine } from '../core/foreign-text.ts';
import { bytes } from '../core/format.ts';
import { filePart } from '../core/parts.ts';
import { useAction } from '../core/resource.ts';
import { Problem } from './basics.tsx';

/** Files are sent as part of the message, as base64 in JSON. */
const MOST_FILE_BYTES = 5_000_000;

export interface WrittenMessage {
  readonly parts: Part[];
  readonly skill: string | undefined;
  /** Stays the same when the same text is sent again after an error, so that no second task begins. */
  readonly messageId: string;
}

export interface MessageFormProps {
  readonly action: string;
  readonly send: (message: WrittenMessage) => Promise<void>;
  readonly label?: string | undefined;
  /** What the fields have at first, for a message that is sent again. */
  readonly initial?: readonly Part[] | undefined;
  readonly skills?:
    | readonly { readonly id: string; readonly name: string; readonly examples: readonly string[] }[]
    | undefined;
  readonly skill?: string | undefined;
  /** Whether only a text can be written, in an answer. */
  readonly short?: boolean | undefined;
  readonly mayBeEmpty?: boolean | undefined;
}

export function MessageForm({
  action,
  send,
  label = 'Message',
  initial = [],
  skills = [],
  skill: initialSkill,
  short = false,
  mayBeEmpty = false,
}: MessageFormProps): JSX.Element {
  const [text, setText] = useState(initial.flatMap((part) => part.text ?? []).join('\n'));
  const [data, setData] = useState(() => {
    const part = initial.find((each) => each.data !== undefined);
    return part === undefined ? '' : JSON.stringify(part.data, undefined, 2);
  });
  const [kept, setKept] = useState(
    initial.filter((part) => part.text === undefined && part.data === undefined),
  );
  const [files, setFiles] = useState<readonly File[]>([]);
  const [skill, setSkill] = useState(initialSkill ?? '');
  const [messageId, setMessageId] = useState(() => crypto.randomUUID());
  const changed = (): void => setMessageId(crypto.randomUUID());
  const sending = useAction(async () => {
    const parts = await partsOf({ text, data, kept, files });
    if (parts.length === 0 && !mayBeEmpty)
      throw new Error('The message is empty. Write a text or attach a file.');
    await send({ parts, skill: skill === '' ? undefined : skill, messageId });
    changed();
  });
  const examples = skills.find(({ id }) => id === skill)?.examples ?? [];
  return (
    <form
      class="form"
      onInput={changed}
      onSubmit={(event) => {
        event.preventDefault();
        sending.run();
      }}
    >
      {skills.length > 0 && (
        <label class="field">
          <span>Skill</span>
          <select value={skill} onChange={(event) => setSkill(event.currentTarget.value)}>
            <option value="">The agent decides</option>
            {skills.map(({ id, name }) => (
              <option key={id} value={id}>
                {visibleLine(name, 80)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span>{label}</span>
        <textarea
          rows={short ? 2 : 4}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
            event.preventDefault();
            sending.run();
          }}
        />
      </label>
      {examples.length > 0 && (
        <div class="actions" role="group" aria-label="Examples">
          {examples.slice(0, 4).map((example) => (
            <button key={example} type="button" class="small chip" onClick={() => setText(example)}>
              {visibleLine(example, 60)}
            </button>
          ))}
        </div>
      )}
      {!short && (
        <details open={data !== ''}>
          <summary>Data and files</summary>
          <label class="field">
            <span>Data (JSON)</span>
            <textarea
              rows={3}
              class="mono"
              value={data}
              placeholder="{}"
              onInput={(event) => setData(event.currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>Files, up to {bytes(MOST_FILE_BYTES)}</span>
            <input
              type="file"
              multiple
              onChange={(event) => setFiles([...(event.currentTarget.files ?? [])])}
            />
          </label>
          {kept.map((part, index) => (
            <p key={index} class="muted">
              {visibleLine(part.filename ?? part.url ?? 'file', 80)}{' '}
              <button
                type="button"
                class="quiet small"
                onClick={() => setKept(kept.filter((each) => each !== part))}
              >
                Remove
              </button>
            </p>
          ))}
        </details>
      )}
      {sending.error !== undefined && <Problem error={sending.error} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={sending.busy}>
          {sending.busy ? 'Sending…' : action}
        </button>
        <span class="muted">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
      </div>
    </form>
  );
}

async function partsOf({
  text,
  data,
  kept,
  files,
}: {
  text: string;
  data: string;
  kept: readonly Part[];
  files: readonly File[];
}): Promise<Part[]> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST_FILE_BYTES)
    throw new Error(
      `The files have ${bytes(size)}; a message takes ${bytes(MOST_FILE_BYTES)}. Send a link instead.`,
    );
  const parts: Part[] = text.trim() === '' ? [] : [{ text }];
  if (data.trim() !== '') parts.push({ data: parsed(data) });
  return [...parts, ...kept, ...(await Promise.all(files.map(filePart)))];
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The data is not valid JSON: ${reason.slice(0, 120)}.`, { cause: error });
  }
}
