import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visibleLine, visibleText } from '../core/foreign-text.ts';

/** More children of one value than these are shown a page at a time. */
const PAGE = 100;
const LONGEST_TEXT = 2000;

/** JSON that can be opened and closed. Its first two levels are open. */
export function JsonTree({
  value,
  name,
  depth = 0,
}: {
  value: unknown;
  name?: string;
  depth?: number;
}): JSX.Element {
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="json-row">
        <Key name={name} />
        <Scalar value={value} />
      </div>
    );
  }
  return <Branch value={value} name={name} depth={depth} />;
}

function Branch({
  value,
  name,
  depth,
}: {
  value: object;
  name: string | undefined;
  depth: number;
}): JSX.Element {
  const [open, setOpen] = useState(depth < 2);
  const [shown, setShown] = useState(PAGE);
  const entries = Object.entries(value);
  const brackets = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) {
    return (
      <div class="json-row">
        <Key name={name} />
        <span class="muted">{brackets}</span>
      </div>
    );
  }
  return (
    <div class="json-branch">
      <button type="button" class="json-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span aria-hidden="true">{open ? '▾' : '▸'}</span>
        <Key name={name} />
        <span class="muted">
          {brackets[0]}
          {open ? '' : `… ${entries.length} …`}
          {open ? '' : brackets[1]}
        </span>
      </button>
      {open && (
        <div class="json-children">
          {entries.slice(0, shown).map(([key, child]) => (
            <JsonTree key={key} name={key} value={child} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="quiet small" onClick={() => setShown(shown + PAGE * 10)}>
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Key({ name }: { name: string | undefined }): JSX.Element | null {
  return name === undefined ? null : <span class="json-key">{visibleLine(name, 200)}: </span>;
}

function Scalar({ value }: { value: unknown }): JSX.Element {
  if (typeof value !== 'string')
    return <span class={`json-${value === null ? 'null' : typeof value}`}>{String(value)}</span>;
  const text = visibleText(value.slice(0, LONGEST_TEXT));
  return (
    <span class="json-string prewrap">
      "{text}"{value.length > LONGEST_TEXT && <span class="muted"> … {value.length} characters</span>}
    </span>
  );
}
