// Where the items of a timeline are drawn. Pure: from items and the time shown to bars in lanes.
import type { TimelineItem } from '../../../api/timeline.ts';
import { counted, stateName, toneOf } from '../../core/format.ts';

export type Axis = 'time' | 'events';

export interface Bar {
  readonly item: TimelineItem;
  /** In the unit of the axis: milliseconds or sequence numbers. */
  readonly from: number;
  readonly to: number;
  /** From 0 within its lane. */
  readonly row: number;
  readonly label: string;
  readonly tone: string;
}

export interface Lane {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly rows: number;
}

export interface Layout {
  readonly lanes: readonly Lane[];
  readonly from: number;
  readonly to: number;
}

const LANES: readonly { readonly name: string; readonly kinds: readonly TimelineItem['kind'][] }[] = [
  { name: 'Turns', kinds: ['turn'] },
  { name: 'States', kinds: ['state'] },
  { name: 'Questions', kinds: ['question'] },
  { name: 'Reports', kinds: ['message'] },
  { name: 'Tools', kinds: ['tool'] },
  { name: 'Artifacts', kinds: ['artifact'] },
  { name: 'Processes', kinds: ['restart', 'gap'] },
];
const MOST_ROWS = 8;

/** `now` is where bars end that are still open. */
export function layOut(items: readonly TimelineItem[], axis: Axis, now: number, running: boolean): Layout {
  const end = running ? now : lastTime(items);
  const spans = new Map(
    items.map((item, index) => [item, spanOf(item, axis, end, followerOf(items, index))]),
  );
  const starts = [...spans.values()].map(([from]) => from).filter(Number.isFinite);
  const ends = [...spans.values()].map(([, to]) => to).filter(Number.isFinite);
  const from = starts.length === 0 ? 0 : starts.reduce((one, other) => Math.min(one, other));
  const to = ends.length === 0 ? 1 : ends.reduce((one, other) => Math.max(one, other));
  // Bars that touch share a row; bars that are too short to see are drawn a little longer.
  const shortest = (to - from) / 200;
  const lanes = LANES.map(({ name, kinds }) => {
    const own = items.filter(({ kind }) => kinds.includes(kind));
    const free: number[] = [];
    const bars = own.map((item) => {
      const [start, stop] = spans.get(item) ?? [from, from];
      const [left, right] = [Number.isFinite(start) ? start : from, Number.isFinite(stop) ? stop : to];
      // A task has one state at a time.
      let row = item.kind === 'state' ? 0 : free.findIndex((until) => until <= left);
      if (row === -1) row = Math.min(free.length, MOST_ROWS - 1);
      free[row] = Math.max(free[row] ?? 0, right, left + shortest);
      return {
        item,
        from: left,
        to: Math.max(left, right),
        row,
        label: labelOf(item),
        tone: toneOfItem(item),
      };
    });
    return { name, bars, rows: Math.max(1, free.length) };
  }).filter(({ bars }) => bars.length > 0);
  return { lanes, from, to: Math.max(to, from + 1) };
}

function lastTime(items: readonly TimelineItem[]): number {
  let last = 0;
  for (const { startedAt, endedAt } of items)
    last = Math.max(last, millisecondsOf(startedAt), millisecondsOf(endedAt));
  return last;
}

function millisecondsOf(time: string | null): number {
  return time === null ? 0 : Date.parse(time);
}

/** What ends a state: the next state, or a question. A state that ends the task ends with itself. */
function followerOf(items: readonly TimelineItem[], index: number): TimelineItem | 'none' | undefined {
  const item = items[index];
  if (item?.kind !== 'state') return 'none';
  if (/COMPLETED|FAILED|CANCELED|REJECTED/.test(item.state)) return 'none';
  return items.find(({ kind }, other) => other > index && (kind === 'state' || kind === 'question'));
}

function spanOf(
  item: TimelineItem,
  axis: Axis,
  end: number,
  follower: TimelineItem | 'none' | undefined,
): [number, number] {
  if (axis === 'events') {
    const last =
      follower === 'none' || follower === undefined ? item.lastSequence + 1 : follower.firstSequence;
    return [item.firstSequence, last];
  }
  const from = item.startedAt === null ? Number.NaN : Date.parse(item.startedAt);
  if (follower === undefined) return [from, end];
  if (follower !== 'none') return [from, Math.max(from, millisecondsOf(follower.startedAt))];
  return [from, item.endedAt === null ? end : Date.parse(item.endedAt)];
}

function toneOfItem(item: TimelineItem): string {
  switch (item.kind) {
    case 'turn':
      return item.outcome === null ? 'blue' : toneOf(item.outcome);
    case 'state':
      return toneOf(item.state);
    case 'tool':
      return item.outcome === 'failed' ? 'red' : item.outcome === 'running' ? 'blue' : 'gray';
    case 'artifact':
      return item.late ? 'amber' : 'green';
    case 'question':
      return item.wants === 'auth' ? 'violet' : 'amber';
    case 'restart':
      return item.how === 'interrupted' ? 'red' : 'violet';
    case 'message':
    case 'gap':
    default:
      return 'gray';
  }
}

/** What a bar says. Foreign text; whoever draws it makes it visible text. */
export function labelOf(item: TimelineItem): string {
  switch (item.kind) {
    case 'turn':
      return `${item.number}. ${item.text}`;
    case 'state':
      return stateName(item.state);
    case 'message':
      return item.text;
    case 'tool':
      return item.name;
    case 'artifact':
      return `${item.name ?? item.artifactId}${item.version > 1 ? ` (version ${item.version})` : ''} · ${counted(item.chunks, 'chunk')}`;
    case 'question':
      return item.text;
    case 'restart':
      return item.process ?? item.how;
    case 'gap':
    default:
      return 'removed by retention';
  }
}

/** What is drawn of a row: a bar, or several that are too near to each other to tell them apart. */
export interface DrawnBar {
  readonly bars: readonly [Bar, ...Bar[]];
  readonly left: number;
  readonly right: number;
  /** Where the next one of its row begins: how far its label may reach. */
  readonly room: number;
  readonly tone: string;
}

/** A bar that can be seen and hit. */
const NARROWEST = 5;
/** Bars that are narrower than this and as near to each other are drawn as one. */
const MERGED = 12;
/** The tone of what must not be missed wins. */
const TONES = ['red', 'amber', 'violet', 'blue', 'green', 'gray'];

/** The bars of a lane between two positions on the screen: however many there are, a bounded number is drawn. */
export function drawnBars(
  { bars, rows }: Lane,
  x: (value: number) => number,
  [start, end]: readonly [number, number],
): DrawnBar[] {
  const drawn = Array.from(
    { length: rows },
    (): { bars: [Bar, ...Bar[]]; left: number; right: number }[] => [],
  );
  for (const bar of bars) {
    const [from, to] = [x(bar.from), x(bar.to)];
    if (to < start || from > end) continue;
    // Whole pixels: what moves by less is not drawn again.
    const left = Math.round(Math.max(start, from));
    const right = Math.round(Math.max(left + NARROWEST, Math.min(end, to)));
    const row = drawn[bar.row];
    const last = row?.at(-1);
    if (
      last !== undefined &&
      right - left < MERGED &&
      last.right - last.left <= MERGED &&
      left - last.left < MERGED
    ) {
      last.bars.push(bar);
      last.right = Math.max(last.right, Math.min(right, last.left + MERGED));
    } else row?.push({ bars: [bar], left, right });
  }
  return drawn.flatMap((row) =>
    row.map((each, index) => ({
      ...each,
      room: row[index + 1]?.left ?? end,
      tone: TONES.find((tone) => each.bars.some((bar) => bar.tone === tone)) ?? 'gray',
    })),
  );
}

/** Round steps for the axis: about one label for each 110 pixels. */
export function ticksOf(from: number, to: number, width: number, axis: Axis): number[] {
  const wanted = (to - from) / Math.max(2, Math.floor(width / 110));
  const step = axis === 'events' ? Math.max(1, roundStep(wanted)) : timeStep(wanted);
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
  return ticks.slice(0, 100);
}

function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 1e-9)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= wanted) ?? 10) * power;
}

const TIME_STEPS = [
  1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000,
  7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 2_592_000_000,
  31_536_000_000,
];

function timeStep(wanted: number): number {
  if (wanted < 1000) return roundStep(wanted);
  return TIME_STEPS.find((step) => step >= wanted) ?? 31_536_000_000;
}
