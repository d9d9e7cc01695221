// How values are written for people. Pure: the clock's setting is an argument.
import type { Clock } from './preferences.ts';

const DAY = 86_400_000;

/** `14:03:21` today, `Nov 17, 14:03` this year, `Nov 17, 2025` before. */
export function shortTime(milliseconds: number, clock: Clock, now: number = Date.now()): string {
  const zone = zoneOf(clock);
  const [day, today] = [dayOf(milliseconds, clock), dayOf(now, clock)];
  if (day === today)
    return format(milliseconds, { ...zone, hour: '2-digit', minute: '2-digit', second: '2-digit' });
  if (day.slice(0, 4) === today.slice(0, 4))
    return format(milliseconds, {
      ...zone,
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    });
  return format(milliseconds, { ...zone, year: 'numeric', month: 'short', day: 'numeric' });
}

/** Everything there is to know about a moment, for a tooltip. */
export function fullTime(milliseconds: number, clock: Clock): string {
  const text = format(milliseconds, {
    ...zoneOf(clock),
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'short',
  });
  return `${text} (${new Date(milliseconds).toISOString()})`;
}

/** With milliseconds, for rows of a journal. */
export function preciseTime(milliseconds: number, clock: Clock): string {
  return format(milliseconds, {
    ...zoneOf(clock),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
}

function zoneOf(clock: Clock): { timeZone?: string } {
  return clock === 'utc' ? { timeZone: 'UTC' } : {};
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** A formatter takes longer to make than to use. */
function format(milliseconds: number, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en', { ...options, hourCycle: 'h23' });
    formatters.set(key, formatter);
  }
  return formatter.format(milliseconds);
}

const days = {
  local: new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' }),
  utc: new Intl.DateTimeFormat('en-CA', {
    timeZone: 'UTC',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }),
};

function dayOf(milliseconds: number, clock: Clock): string {
  return days[clock].format(milliseconds);
}

/** `840 ms`, `12.4 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(milliseconds: number): string {
  const value = Math.max(0, milliseconds);
  if (value < 1000) return `${Math.round(value)} ms`;
  if (value < 60_000) return `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`;
  if (value < 3_600_000) return twoUnits(value, [60_000, 'min'], [1000, 's']);
  if (value < DAY) return twoUnits(value, [3_600_000, 'h'], [60_000, 'min']);
  return twoUnits(value, [DAY, 'd'], [3_600_000, 'h']);
}

type Unit = readonly [milliseconds: number, name: string];

/** The smaller one only if there is something of it. */
function twoUnits(value: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((value % large) / small);
  return `${Math.floor(value / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** `just now`, `12 s ago`, `in 5 min`. */
export function relativeTime(milliseconds: number, now: number = Date.now()): string {
  const distance = Math.abs(now - milliseconds);
  if (distance < 2000) return 'just now';
  const [size, unit] =
    distance < 60_000
      ? [distance / 1000, 's']
      : distance < 3_600_000
        ? [distance / 60_000, 'min']
        : distance < DAY
          ? [distance / 3_600_000, 'h']
          : [distance / DAY, 'd'];
  const text = `${Math.floor(size)} ${unit}`;
  return milliseconds > now ? `in ${text}` : `${text} ago`;
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [count / 1000, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function amount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 event`, `12 events`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${amount(count)} ${count === 1 ? noun : plural}`;
}

/** `TASK_STATE_INPUT_REQUIRED` → `input required`. */
export function stateName(state: string): string {
  return state
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
}

const TONES: Readonly<Record<string, string>> = {
  TASK_STATE_SUBMITTED: 'gray',
  TASK_STATE_WORKING: 'blue',
  TASK_STATE_COMPLETED: 'green',
  TASK_STATE_FAILED: 'red',
  TASK_STATE_REJECTED: 'red',
  TASK_STATE_CANCELED: 'gray',
  TASK_STATE_INPUT_REQUIRED: 'amber',
  TASK_STATE_AUTH_REQUIRED: 'violet',
};

/** The colour of a state, by its name in the style sheet. */
export function toneOf(state: string): string {
  return TONES[state] ?? 'gray';
}

/** An id that is long: its beginning, which people compare. */
export function shortId(id: string): string {
  return id.length > 13 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}
