import type { ComponentType, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { signal } from '@preact/signals';
import { visibleText } from '../core/foreign-text.ts';

/** The parser is loaded with the first text; until then the text is shown as it is. */
const renderer = signal<ComponentType<{ text: string }> | undefined>(undefined);
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  const { default: Markdown } = await import('./markdown.tsx');
  renderer.value = Markdown;
}

/** A line of words means the same with and without Markdown. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N} ,.'?]{0,300}$/u;

export function MarkdownText({ text }: { text: string }): JSX.Element {
  return PLAIN.test(text) && !/^\d+\. |www\./.test(text) ? (
    <div class="markdown">
      <p>{visibleText(text)}</p>
    </div>
  ) : (
    <Parsed text={text} />
  );
}

function Parsed({ text }: { text: string }): JSX.Element {
  const Markdown = renderer.value;
  // The same element is not drawn again: parsing is what costs.
  const drawn = useMemo(() => Markdown && <Markdown text={text} />, [Markdown, text]);
  if (drawn !== undefined) return drawn;
  loading ??= load();
  return <div class="markdown prewrap">{visibleText(text)}</div>;
}
