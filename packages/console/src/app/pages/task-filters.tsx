import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { QueryOf } from '../../api/endpoints.ts';
import { stateName } from '../core/format.ts';
import { clock } from '../core/preferences.ts';
import { hrefOf, setQuery } from '../core/router.ts';
import { hasFeature, isOperator } from '../core/session.ts';

type Filter = QueryOf<'watchTasks'>;

const STATES = [
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
] as const;

const SEARCH_DELAY = 300;

/** The filters in an address. What is not understood is left out, not guessed. */
export function filterIn(query: URLSearchParams): Filter {
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const states = (query.get('state') ?? '')
    .split(',')
    .map((name) => STATES.find((state) => stateName(state).replaceAll(' ', '-') === name))
    .filter((state) => state !== undefined);
  return {
    ...(states.length === 0 ? {} : { state: states }),
    agent: text('agent'),
    owner: text('owner'),
    context: text('context'),
    from: timeIn(query.get('from')),
    to: timeIn(query.get('to')),
    text: text('text'),
  };
}

function timeIn(value: string | null): string | undefined {
  const time = value === null ? Number.NaN : Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

export function hasFilter(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

function hasDetails({ from, to, context, owner, agent }: Filter): boolean {
  return [from, to, context, owner, agent].some((value) => value !== undefined);
}

export function TaskFilters({ filter }: { filter: Filter }): JSX.Element {
  const states: readonly string[] = Array.isArray(filter.state) ? filter.state : [];
  const toggle = (state: string): void => {
    const next = STATES.filter((each) => (each === state ? !states.includes(each) : states.includes(each)));
    setQuery({ state: next.map((each) => stateName(each).replaceAll(' ', '-')).join(',') });
  };
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <SearchField value={filter.text ?? ''} />
      <div class="chips" role="group" aria-label="State">
        {STATES.map((state) => (
          <button
            key={state}
            type="button"
            class="chip"
            aria-pressed={states.includes(state)}
            onClick={() => toggle(state)}
          >
            {stateName(state)}
          </button>
        ))}
      </div>
      <details class="more-filters" open={hasDetails(filter)}>
        <summary>More filters</summary>
        <div>
          <TimeField label="From" name="from" value={filter.from} />
          <TimeField label="To" name="to" value={filter.to} />
          <TextField label="Context" name="context" value={filter.context} />
          {isOperator() && <TextField label="Owner" name="owner" value={filter.owner} />}
          {hasFeature('hub') && <TextField label="Agent" name="agent" value={filter.agent} />}
        </div>
      </details>
      {hasFilter(filter) && (
        <a class="button small" href={hrefOf(['tasks'])}>
          Clear filters
        </a>
      )}
    </form>
  );
}

function SearchField({ value }: { value: string }): JSX.Element {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return undefined;
    // One entry in the history for a search, not one for each letter.
    const timer = setTimeout(() => setQuery({ text: typed.trim() }, { replace: true }), SEARCH_DELAY);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      id="task-search"
      type="search"
      aria-label="Search in ids and metadata"
      placeholder="Search ids and metadata ( / )"
      maxLength={200}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  );
}

function TimeField({
  label,
  name,
  value,
}: {
  label: string;
  name: string;
  value: string | undefined;
}): JSX.Element {
  const utc = clock.value === 'utc';
  return (
    <label class="inline-field">
      <span class="muted">{label}</span>
      <input
        type="datetime-local"
        value={value === undefined ? '' : fieldValue(value, utc)}
        onChange={(event) => {
          const text = event.currentTarget.value;
          setQuery({ [name]: text === '' ? undefined : new Date(utc ? `${text}Z` : text).toISOString() });
        }}
      />
    </label>
  );
}

/** As the field wants it: without a zone, in that of the clock. */
function fieldValue(time: string, utc: boolean): string {
  const date = new Date(time);
  const shifted = utc ? date : new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

function TextField({
  label,
  name,
  value,
}: {
  label: string;
  name: string;
  value: string | undefined;
}): JSX.Element {
  const [typed, setTyped] = useState(value ?? '');
  useEffect(() => setTyped(value ?? ''), [value]);
  return (
    <label class="inline-field">
      <span class="muted">{label}</span>
      <input
        type="text"
        size={14}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
      />
    </label>
  );
}
