// The small parts that every page is made of.
import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visibleLine, webAddress } from '../core/foreign-text.ts';
import {
  fullTime,
  preciseTime,
  relativeTime,
  shortId,
  shortTime,
  stateName,
  toneOf,
} from '../core/format.ts';
import { clock } from '../core/preferences.ts';
import { problemOf } from '../core/problem.ts';

/** Ticks once a second, for whatever shows how long something takes. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);

export function Time({ at, precise = false }: { at: string | number; precise?: boolean }): JSX.Element {
  const milliseconds = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(milliseconds)) return <span class="muted">unknown</span>;
  const text = precise ? preciseTime(milliseconds, clock.value) : shortTime(milliseconds, clock.value);
  return (
    <time
      class="time"
      dateTime={new Date(milliseconds).toISOString()}
      title={fullTime(milliseconds, clock.value)}
    >
      {text}
    </time>
  );
}

export function Ago({ at }: { at: string | number }): JSX.Element {
  const milliseconds = typeof at === 'number' ? at : Date.parse(at);
  return (
    <time
      class="time"
      dateTime={new Date(milliseconds).toISOString()}
      title={fullTime(milliseconds, clock.value)}
    >
      {relativeTime(milliseconds, now.value)}
    </time>
  );
}

export function State({ state }: { state: string }): JSX.Element {
  return <Badge tone={toneOf(state)}>{stateName(state)}</Badge>;
}

export function Badge({ tone, children }: { tone: string; children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** An id, shortened; a click copies it whole. */
export function Id({ id, long = false }: { id: string; long?: boolean }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
    setTimeout(() => setCopied(false), 1200);
  };
  const shown = long ? visibleLine(id) : shortId(visibleLine(id));
  return (
    <button type="button" class="id mono" title={`Copy ${visibleLine(id)}`} onClick={() => void copy()}>
      {copied ? 'copied' : shown}
    </button>
  );
}

/** An address that somebody else wrote. It says where it leads before anybody follows it. */
export function ForeignLink({ href, children }: { href: string; children?: ComponentChildren }): JSX.Element {
  const url = webAddress(href);
  if (url === undefined) {
    return (
      <span class="wrap">
        {children ?? visibleLine(href)}
        {children !== undefined && <span class="muted"> ({visibleLine(href, 80)})</span>}
      </span>
    );
  }
  return (
    <a class="wrap" href={url.href} target="_blank" rel="noopener noreferrer nofollow">
      {children ?? visibleLine(url.href)}
      {children !== undefined && <span class="muted"> ({url.host})</span>}
    </a>
  );
}

export function Loading({ what }: { what: string }): JSX.Element {
  return (
    <p class="note muted" role="status">
      Loading {what}…
    </p>
  );
}

/** Says what is not there, and what to do first. */
export function Empty({
  title,
  isPage = false,
  children,
}: {
  title: string;
  /** Whether there is nothing else on the page. */
  isPage?: boolean;
  children?: ComponentChildren;
}): JSX.Element {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div class="empty">
      <Title class="empty-title">{title}</Title>
      {children}
    </div>
  );
}

export function Problem({ error, retry }: { error: unknown; retry?: (() => void) | undefined }): JSX.Element {
  const { title, advice } = problemOf(error);
  return (
    <div class="problem" role="alert">
      <p class="problem-title wrap">{visibleLine(title, 500)}</p>
      {advice !== undefined && <p class="wrap">{visibleLine(advice, 500)}</p>}
      {retry !== undefined && (
        <button type="button" class="small" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="section" aria-label={title}>
      <header class="section-head">
        <h2>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** Names and values, one below the other. */
export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="wrap">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Tabs that are links: the open one is in the address. */
export function Tabs({
  label,
  tabs,
  open,
}: {
  label: string;
  tabs: readonly { readonly name: string; readonly title: ComponentChildren; readonly href: string }[];
  open: string;
}): JSX.Element {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, title, href }) => (
        <a key={name} href={href} aria-current={name === open ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
