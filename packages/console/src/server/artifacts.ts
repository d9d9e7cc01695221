import { A2AError, type Artifact, type Part, type StreamResponse, type Task } from '@holdword/protocol';
import { isBareText } from '@holdword/protocol/internal';
import type { Store, TaskHeader } from '@holdword/store';
import type { ArtifactDetail } from '../api/task.ts';
import type { FileAnswer } from './api-request.ts';

const PAGE = 256;
/** Contents that are larger are read as files. */
const MOST_PART_BYTES = 1024 * 1024;
const MOST_ARTIFACT_BYTES = 8 * 1024 * 1024;

/** Types that a browser shows without running anything. */
const SHOWN_TYPES =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf|text\/plain)$/;

/** A part of an artifact as it is written: with a piece of the content of the part of this index. */
interface PartPiece {
  readonly index: number;
  readonly part: Part;
}

interface Version {
  readonly version: number;
  firstSequence: number;
  lastSequence: number;
  complete: boolean;
}

/**
 * The artifacts of tasks, read from their journals: each write that replaces an artifact begins a version, and those that append
 * to it continue it. Content that is appended is one text, as readers of the task get it, but it is never in memory as a whole:
 * it is sent while the journal is read.
 */
export class Artifacts {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async detail(header: TaskHeader, artifactId: string, wanted: number | undefined): Promise<ArtifactDetail> {
    const versions: Version[] = [];
    let about: Artifact | undefined;
    let parts: CollectedPart[] = [];
    for await (const update of this.#updates(header, artifactId)) {
      const { append, isLast, sequence, artifact } = update;
      let version = versions.at(-1);
      if (version === undefined || !append) {
        version = {
          version: (version?.version ?? 0) + 1,
          firstSequence: sequence,
          lastSequence: sequence,
          complete: isLast,
        };
        versions.push(version);
        if (wanted === undefined || wanted === version.version) [about, parts] = [artifact, []];
      }
      version.lastSequence = sequence;
      version.complete = isLast;
      if (wanted === undefined || wanted === version.version) collect(parts, artifact.parts, append);
    }
    if (about === undefined) throw notFound(artifactId, wanted, versions.length);
    const { name = null, description = null, metadata = null } = about;
    return {
      artifactId,
      name,
      description,
      metadata,
      version: wanted ?? versions.length,
      versions,
      parts: withoutLarge(parts),
    };
  }

  /** The content of one part, as a file that is read while it is sent. */
  async content(
    header: TaskHeader,
    artifactId: string,
    { version, part: index, download }: { version?: number | undefined; part: number; download: boolean },
  ): Promise<FileAnswer> {
    const chosen = version ?? (await this.detail(header, artifactId, undefined)).version;
    const pieces = this.#pieces(header, artifactId, chosen, index);
    const first = await pieces.next();
    if (first.done === true) {
      throw new A2AError('TASK_NOT_FOUND', `The artifact has no part ${index} in version ${chosen}.`);
    }
    const { part } = first.value;
    if (part.url !== undefined) {
      throw new A2AError(
        'UNSUPPORTED_OPERATION',
        'This part is a link: its content is not stored here. Open its URL.',
      );
    }
    const contentType = typeOf(part);
    const isShown = !download && SHOWN_TYPES.test(contentType);
    return {
      name: part.filename ?? `${artifactId}${extensionOf(part)}`,
      contentType:
        isShown || download
          ? contentType.replace(/^text\/plain$/, 'text/plain; charset=utf-8')
          : 'application/octet-stream',
      inline: isShown,
      pieces: contentsOf(first.value, pieces),
    };
  }

  async *#pieces(
    header: TaskHeader,
    artifactId: string,
    wanted: number,
    index: number,
  ): AsyncGenerator<PartPiece, void, undefined> {
    let version = 0;
    const counter = new PartCounter();
    for await (const { append, artifact } of this.#updates(header, artifactId)) {
      if (!append || version === 0) {
        version += 1;
        counter.restart();
      }
      if (version > wanted) return;
      if (version < wanted) continue;
      for (const part of artifact.parts) {
        const at = counter.next(part, append);
        if (at > index) return;
        if (at === index) yield { index: at, part };
      }
    }
  }

  /** What was written of an artifact, in order. */
  async *#updates({ taskId, firstSequence, lastSequence }: TaskHeader, artifactId: string) {
    let cursor = firstSequence - 1;
    if (firstSequence > 1) {
      const snapshot = await this.#store.readSnapshot(taskId);
      const task = snapshot && (JSON.parse(snapshot.json) as Task);
      const artifact = task?.artifacts?.find((each) => each.artifactId === artifactId);
      if (artifact !== undefined) yield { artifact, append: false, isLast: true, sequence: cursor };
      cursor = Math.max(cursor, snapshot?.sequence ?? 0);
    }
    // Most events of a task are of other artifacts and need not be parsed.
    const mark = JSON.stringify(artifactId);
    while (cursor < lastSequence) {
      const events = await this.#store.readEvents(taskId, cursor, PAGE);
      const last = events.at(-1);
      if (last === undefined) return;
      for (const { json, sequence } of events) {
        if (!json.includes(mark)) continue;
        const event = JSON.parse(json) as StreamResponse;
        if (!('artifactUpdate' in event) || event.artifactUpdate.artifact.artifactId !== artifactId) continue;
        const { artifact, append = false, lastChunk = false } = event.artifactUpdate;
        yield { artifact, append, isLast: lastChunk, sequence };
      }
      cursor = last.sequence;
    }
  }
}

/** Counts parts as readers of a task see them: bare text that is appended continues the text before it. */
class PartCounter {
  #last = -1;
  #endsInText = false;

  restart(): void {
    this.#last = -1;
    this.#endsInText = false;
  }

  next(part: Part, isAppended: boolean): number {
    const isText = isBareText(part);
    if (!(isAppended && isText && this.#endsInText)) this.#last += 1;
    this.#endsInText = isText;
    return this.#last;
  }
}

interface CollectedPart {
  part: Part;
  texts: string[];
  size: number;
}

function collect(parts: CollectedPart[], more: readonly Part[], isAppended: boolean): void {
  for (const part of more) {
    const last = parts.at(-1);
    const size = sizeOf(part);
    if (isAppended && last !== undefined && isBareText(part) && isBareText(last.part)) {
      last.size += size;
      if (last.size <= MOST_PART_BYTES) last.texts.push(part.text);
      else last.texts = [];
    } else {
      const isKept = size <= MOST_PART_BYTES;
      const { text: _text, raw: _raw, data: _data, ...rest } = part as Part;
      parts.push({
        part: isKept ? part : { ...rest, text: '' },
        texts: isKept && isBareText(part) ? [part.text] : [],
        size,
      });
    }
  }
}

function withoutLarge(parts: readonly CollectedPart[]): ArtifactDetail['parts'] {
  let bytes = 0;
  return parts.map(({ part, texts, size }, index) => {
    bytes += size;
    const isShown = size <= MOST_PART_BYTES && bytes <= MOST_ARTIFACT_BYTES;
    const content = isBareText(part) ? { text: texts.join('') } : part;
    return {
      index,
      mediaType: part.mediaType ?? null,
      filename: part.filename ?? null,
      size,
      content: isShown ? content : null,
    };
  });
}

function sizeOf({ text, raw, url, data }: Part): number {
  if (raw !== undefined) return Buffer.byteLength(raw, 'base64');
  return Buffer.byteLength(text ?? url ?? JSON.stringify(data ?? null));
}

async function* contentsOf(
  first: PartPiece,
  rest: AsyncIterable<PartPiece>,
): AsyncGenerator<string | Buffer> {
  yield contentOf(first.part);
  for await (const { part } of rest) yield contentOf(part);
}

function contentOf({ text, raw, data }: Part): string | Buffer {
  if (raw !== undefined) return Buffer.from(raw, 'base64');
  return text ?? JSON.stringify(data ?? null, undefined, 2);
}

/** A type is a header, so anything else than a plain one is refused. */
function typeOf({ mediaType, text, data }: Part): string {
  if (mediaType !== undefined && /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(mediaType))
    return mediaType.toLowerCase();
  if (text !== undefined) return 'text/plain';
  return data === undefined ? 'application/octet-stream' : 'application/json';
}

function extensionOf({ text, data }: Part): string {
  if (text !== undefined) return '.txt';
  return data === undefined ? '' : '.json';
}

function notFound(artifactId: string, version: number | undefined, versions: number): A2AError {
  const message =
    versions === 0
      ? `The task has no artifact ${JSON.stringify(artifactId.slice(0, 100))}.`
      : `The artifact has ${versions} versions; there is no version ${version}.`;
  return new A2AError('TASK_NOT_FOUND', message);
}
