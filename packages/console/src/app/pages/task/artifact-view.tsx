// An artifact as people read it, in any of its versions, growing while the agent writes it.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TaskArtifactUpdateEvent } from '@holdword/protocol';
import type { ArtifactDetail } from '../../../api/task.ts';
import { call } from '../../core/api.ts';
import { visibleLine, visibleText } from '../../core/foreign-text.ts';
import { diffLines } from '../../core/text-diff.ts';
import type { TaskModel } from '../../core/task-model.ts';
import { Badge, Loading, Problem } from '../../parts/basics.tsx';
import { PartView, type ShownPart } from './part-view.tsx';

/** A text that grows is drawn this often at most. */
const DRAW_MILLISECONDS = 150;

/** An artifact and what arrives for it. */
function useArtifact(
  model: TaskModel,
  artifactId: string,
  version: number | undefined,
): { artifact: ArtifactDetail | undefined; error: unknown; reload: () => void } {
  const [state, setState] = useState<{ artifact?: ArtifactDetail; error?: unknown }>({});
  const [round, setRound] = useState(0);
  const reload = (): void => setRound((count) => count + 1);
  useEffect(() => {
    let [stopped, artifact] = [false, undefined as ArtifactDetail | undefined];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let early: [TaskArtifactUpdateEvent, number][] = [];
    const draw = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (!stopped && artifact !== undefined) setState({ artifact });
      }, DRAW_MILLISECONDS);
    };
    const receive = (update: TaskArtifactUpdateEvent, sequence: number): void => {
      if (artifact === undefined) {
        early.push([update, sequence]);
        return;
      }
      const longer = extended(artifact, update, sequence);
      if (longer === undefined) reload();
      else if (longer !== artifact) {
        artifact = longer;
        draw();
      }
    };
    const stop = model.onArtifact(artifactId, receive);
    const read = async (): Promise<void> => {
      artifact = await call('getArtifact', {
        path: { taskId: model.taskId, artifactId },
        query: { version },
      });
      if (stopped) return;
      setState({ artifact });
      const waiting = early;
      early = [];
      for (const [update, sequence] of waiting) receive(update, sequence);
    };
    read().catch((error: unknown) => !stopped && setState((before) => ({ ...before, error })));
    return () => {
      stopped = true;
      clearTimeout(timer);
      stop();
    };
  }, [model, artifactId, version, round]);
  return { artifact: state.artifact, error: state.error, reload };
}

/** The artifact with a chunk more; itself if it has it already; nothing if it must be read again. */
function extended(
  artifact: ArtifactDetail,
  update: TaskArtifactUpdateEvent,
  sequence: number,
): ArtifactDetail | undefined {
  const current = artifact.versions.at(-1);
  if (current === undefined || current.version !== artifact.version) return artifact;
  if (sequence <= current.lastSequence) return artifact;
  const [chunk, ...others] = update.artifact.parts;
  const last = artifact.parts.at(-1);
  const text = last?.content?.text;
  if (
    update.append !== true ||
    others.length > 0 ||
    chunk?.text === undefined ||
    last === undefined ||
    text === undefined
  )
    return undefined;
  const longer = {
    ...last,
    size: last.size + chunk.text.length,
    content: { ...last.content, text: text + chunk.text },
  };
  return {
    ...artifact,
    parts: [...artifact.parts.slice(0, -1), longer],
    versions: [
      ...artifact.versions.slice(0, -1),
      {
        ...current,
        lastSequence: sequence,
        complete: update.lastChunk === true,
      },
    ],
  };
}

export function ArtifactView({
  model,
  artifactId,
  version,
  compact = false,
  choose,
}: {
  model: TaskModel;
  artifactId: string;
  version?: number | undefined;
  /** Without its versions, in a conversation. */
  compact?: boolean;
  choose?: ((version: number | undefined) => void) | undefined;
}): JSX.Element {
  const { artifact, error, reload } = useArtifact(model, artifactId, version);
  const [compared, setCompared] = useState<number>();
  if (artifact === undefined)
    return error === undefined ? <Loading what="the artifact" /> : <Problem error={error} retry={reload} />;
  const current = artifact.versions.find((each) => each.version === artifact.version);
  const isGrowing = current?.complete === false && !model.isEnded();
  return (
    <article class="artifact" aria-label={`Artifact ${visibleLine(artifact.name ?? artifactId, 80)}`}>
      <header class="artifact-head">
        <h3 class="wrap">{visibleLine(artifact.name ?? artifactId, 120)}</h3>
        {isGrowing && <Badge tone="blue">being written</Badge>}
        {artifact.description !== null && <span class="muted wrap">{visibleLine(artifact.description)}</span>}
        {!compact && artifact.versions.length > 1 && (
          <Versions
            artifact={artifact}
            compared={compared}
            compare={setCompared}
            choose={choose ?? (() => undefined)}
          />
        )}
      </header>
      {compared !== undefined && compared !== artifact.version ? (
        <Comparison taskId={model.taskId} artifact={artifact} with={compared} />
      ) : (
        artifact.parts.map((part) => (
          <PartView
            key={part.index}
            part={part}
            isGrowing={isGrowing}
            source={{ taskId: model.taskId, artifactId, version: artifact.version, part: part.index }}
          />
        ))
      )}
    </article>
  );
}

function Versions({
  artifact,
  compared,
  compare,
  choose,
}: {
  artifact: ArtifactDetail;
  compared: number | undefined;
  compare: (version: number | undefined) => void;
  choose: (version: number | undefined) => void;
}): JSX.Element {
  const newest = artifact.versions.at(-1)?.version;
  return (
    <div class="actions">
      <label class="inline-field">
        <span class="muted">Version</span>
        <select
          value={String(artifact.version)}
          onChange={(event) => {
            const version = Number(event.currentTarget.value);
            choose(version === newest ? undefined : version);
          }}
        >
          {artifact.versions.map(({ version }) => (
            <option key={version} value={String(version)}>
              {version}
              {version === newest ? ' (newest)' : ''}
            </option>
          ))}
        </select>
      </label>
      <label class="inline-field">
        <span class="muted">Compare with</span>
        <select
          value={compared === undefined ? '' : String(compared)}
          onChange={(event) =>
            compare(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))
          }
        >
          <option value="">none</option>
          {artifact.versions
            .filter(({ version }) => version !== artifact.version)
            .map(({ version }) => (
              <option key={version} value={String(version)}>
                {version}
              </option>
            ))}
        </select>
      </label>
    </div>
  );
}

function Comparison({
  taskId,
  artifact,
  with: version,
}: {
  taskId: string;
  artifact: ArtifactDetail;
  with: number;
}): JSX.Element {
  const [other, setOther] = useState<{ artifact?: ArtifactDetail; error?: unknown }>({});
  const wanted = useRef(version);
  useEffect(() => {
    wanted.current = version;
    call('getArtifact', { path: { taskId, artifactId: artifact.artifactId }, query: { version } }).then(
      (read) => wanted.current === version && setOther({ artifact: read }),
      (error: unknown) => setOther({ error }),
    );
  }, [taskId, artifact.artifactId, version]);
  if (other.error !== undefined) return <Problem error={other.error} />;
  if (other.artifact === undefined) return <Loading what={`version ${version}`} />;
  const [older, newer] = version < artifact.version ? [other.artifact, artifact] : [artifact, other.artifact];
  const lines = diffLines(textsOf(older.parts), textsOf(newer.parts));
  return (
    <div
      class="diff"
      role="region"
      aria-label={`Changes from version ${older.version} to ${newer.version}`}
      tabIndex={0}
    >
      {lines.slice(0, 5000).map(({ kind, text }, index) => (
        <div key={index} class={`diff-line ${kind}`}>
          <span aria-hidden="true">{kind === 'added' ? '+' : kind === 'removed' ? '−' : ' '}</span>
          {kind !== 'same' && <span class="hidden-visually">{kind}: </span>}
          <span class="prewrap">{visibleText(text)}</span>
        </div>
      ))}
    </div>
  );
}

function textsOf(parts: readonly ShownPart[]): string {
  return parts
    .map(({ content, filename, size }) => {
      if (content?.text !== undefined) return content.text;
      if (content?.data !== undefined) return JSON.stringify(content.data, undefined, 2);
      return `${filename ?? 'file'}, ${size} bytes`;
    })
    .join('\n');
}
