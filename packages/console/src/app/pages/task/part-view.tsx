// One part of an artifact or a message, drawn by what it is. Nothing in it runs: HTML and SVG are shown as their source, images
// come from memory with a type from a fixed list.
import type { Part } from '@holdword/protocol';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ArtifactDetail } from '../../../api/task.ts';
import { urlOf } from '../../core/api.ts';
import { SHOWN_CHARACTERS, visibleLine, visibleText } from '../../core/foreign-text.ts';
import { bytes, counted } from '../../core/format.ts';
import { ForeignLink } from '../../parts/basics.tsx';
import { parseCsv, tableIn } from '../../core/table.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { MarkdownText } from '../../parts/markdown-text.tsx';

export type ShownPart = ArtifactDetail['parts'][number];

/** Where the content of a part is, as a file. */
export interface PartSource {
  readonly taskId: string;
  readonly artifactId: string;
  readonly version: number;
  readonly part: number;
}

const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
const SOUNDS: readonly string[] = [
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
  'audio/mp4',
  'audio/webm',
  'audio/flac',
  'audio/aac',
];
/** Of a text that grows, so much is drawn anew each time. */
const LONGEST_LIVE_TEXT = 12_000;

export function PartView({
  part,
  source,
  isGrowing = false,
}: {
  part: ShownPart;
  source?: PartSource | undefined;
  isGrowing?: boolean;
}): JSX.Element {
  const type = (part.mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const download = source === undefined ? undefined : contentUrl(source, 'true');
  return (
    <div class="part">
      <Content part={part} type={type} source={source} isGrowing={isGrowing} />
      {download !== undefined && (
        <p class="part-foot muted">
          <span class="wrap">
            {part.filename === null ? '' : `${visibleLine(part.filename, 120)} · `}
            {type === '' ? '' : `${visibleLine(type, 60)} · `}
            {bytes(part.size)}
          </span>
          <a class="button small" href={download} download>
            Download
          </a>
        </p>
      )}
    </div>
  );
}

function contentUrl({ taskId, artifactId, version, part }: PartSource, download: 'true' | 'false'): string {
  return urlOf('getArtifactContent', { taskId, artifactId }, { version, part, download });
}

function Content({
  part,
  type,
  source,
  isGrowing,
}: {
  part: ShownPart;
  type: string;
  source: PartSource | undefined;
  isGrowing: boolean;
}): JSX.Element {
  const { content } = part;
  if (content?.text !== undefined)
    return <TextContent text={content.text} type={type} isGrowing={isGrowing} />;
  if (content?.data !== undefined) return <DataContent data={content.data} />;
  if (content?.url !== undefined) {
    return (
      <p>
        <ForeignLink href={content.url}>{visibleLine(part.filename ?? 'File')}</ForeignLink>
      </p>
    );
  }
  if (source !== undefined && IMAGES.includes(type))
    return <Picture url={contentUrl(source, 'false')} type={type} name={part.filename} />;
  if (source !== undefined && SOUNDS.includes(type))
    return (
      <audio
        controls
        preload="none"
        src={contentUrl(source, 'false')}
        aria-label={visibleLine(part.filename ?? 'Audio')}
      />
    );
  if (source !== undefined && type === 'application/pdf')
    return <Document url={contentUrl(source, 'false')} name={part.filename} />;
  return (
    <p class="muted">{content === null ? 'Too large to show here.' : `A file of ${bytes(part.size)}.`}</p>
  );
}

function TextContent({
  text,
  type,
  isGrowing,
}: {
  text: string;
  type: string;
  isGrowing: boolean;
}): JSX.Element {
  const structured = useMemo(
    () => (isGrowing ? undefined : structureIn(text, type)),
    [text, type, isGrowing],
  );
  const isProse = type === '' || type === 'text/markdown' || type === 'text/plain';
  const [asSource, setAsSource] = useState(false);
  const isLong = isGrowing && text.length > LONGEST_LIVE_TEXT;
  const cut = !isLong && text.length > SHOWN_CHARACTERS;
  const plain = !isProse || asSource || isLong || type === 'text/plain';
  const shown = isLong ? text.slice(-LONGEST_LIVE_TEXT) : text.slice(0, SHOWN_CHARACTERS);
  return (
    <>
      {structured !== undefined && !asSource ? (
        structured
      ) : plain ? (
        <pre class="plain prewrap">{visibleText(shown)}</pre>
      ) : (
        <MarkdownText text={text} />
      )}
      {isLong && (
        <p class="muted">
          The end of {counted(text.length, 'character')}. All of it is shown when it is complete.
        </p>
      )}
      {cut && <p class="muted">The first {SHOWN_CHARACTERS} characters. Download it to read the rest.</p>}
      {(structured !== undefined || (isProse && type !== 'text/plain')) && !isGrowing && text.length > 80 && (
        <button
          type="button"
          class="quiet small"
          aria-pressed={asSource}
          onClick={() => setAsSource(!asSource)}
        >
          {asSource ? 'Formatted' : 'Source'}
        </button>
      )}
    </>
  );
}

/** Data that was written as text. */
function structureIn(text: string, type: string): JSX.Element | undefined {
  if (text.length > SHOWN_CHARACTERS * 5) return undefined;
  if (type === 'application/json' || type.endsWith('+json')) {
    try {
      return <DataContent data={JSON.parse(text)} />;
    } catch {
      return undefined;
    }
  }
  const table =
    type === 'text/csv'
      ? parseCsv(text)
      : type === 'text/tab-separated-values'
        ? parseCsv(text, '\t')
        : undefined;
  return table === undefined ? undefined : <DataTable {...table} />;
}

function DataContent({ data }: { data: unknown }): JSX.Element {
  const table = useMemo(() => tableIn(data), [data]);
  const [asTree, setAsTree] = useState(false);
  if (table === undefined) return <JsonTree value={data} />;
  return (
    <>
      {asTree ? <JsonTree value={data} /> : <DataTable {...table} />}
      <button type="button" class="quiet small" aria-pressed={asTree} onClick={() => setAsTree(!asTree)}>
        {asTree ? 'As a table' : 'As JSON'}
      </button>
    </>
  );
}

/** Loaded into memory and shown with a type of our own list, whatever the server or the agent says that it is. */
function Picture({ url, type, name }: { url: string; type: string; name: string | null }): JSX.Element {
  const [shown, setShown] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    let made: string | undefined;
    const load = async (): Promise<void> => {
      const response = await fetch(url, { signal: abort.signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      made = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type }));
      setShown(made);
    };
    load().catch(() => !abort.signal.aborted && setFailed(true));
    return () => {
      abort.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [url, type]);
  if (failed) return <p class="muted">The image could not be loaded. Download it instead.</p>;
  return (
    <div class="picture">
      {shown !== undefined && (
        <img
          src={shown}
          alt={visibleLine(name ?? 'Image without a name', 120)}
          onError={() => setFailed(true)}
        />
      )}
    </div>
  );
}

function Document({ url, name }: { url: string; name: string | null }): JSX.Element {
  return (
    <>
      {navigator.pdfViewerEnabled && (
        <iframe class="document" src={url} title={visibleLine(name ?? 'PDF', 120)} />
      )}
      <p>
        <a href={url} target="_blank" rel="noopener noreferrer">
          Open {visibleLine(name ?? 'the PDF', 120)}
        </a>
      </p>
    </>
  );
}

/** The parts of a message, which has no file to download. */
export function MessageParts({ parts }: { parts: readonly Part[] }): JSX.Element {
  return (
    <>
      {parts.map((part, index) => (
        <PartView key={index} part={shownPart(part, index)} />
      ))}
    </>
  );
}

function shownPart(part: Part, index: number): ShownPart {
  return {
    index,
    mediaType: part.mediaType ?? null,
    filename: part.filename ?? null,
    size: Math.floor(((part.raw?.length ?? 0) * 3) / 4),
    content: part,
  };
}
