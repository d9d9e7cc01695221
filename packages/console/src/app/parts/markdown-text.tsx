import type { ComponentType, JSX } from 'preact';
import { signal } from '@preact/signals';
import { visibleText } from '../core/foreign-text.ts';

/** The parser is loaded with the first text; until then the text is shown as it is. */
const renderer = signal<ComponentType<{ text: string }> | undefined>(undefined);
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  const { default: Markdown } = await import('./markdown.tsx');
  renderer.value = Markdown;
}

export function MarkdownText({ text }: { text: string }): JSX.Element {
  const Markdown = renderer.value;
  if (Markdown !== undefined) return <Markdown text={text} />;
  loading ??= load();
  return <div class="markdown prewrap">{visibleText(text)}</div>;
}
