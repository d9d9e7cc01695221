import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TimelineItem } from '../../../api/timeline.ts';
import { visibleLine } from '../../core/foreign-text.ts';
import { duration, preciseTime, shortTime } from '../../core/format.ts';
import { useShortcuts } from '../../core/keyboard.ts';
import { clock } from '../../core/preferences.ts';
import { now } from '../../parts/basics.tsx';
import {
  drawnBars,
  layOut,
  ticksOf,
  type Axis,
  type Bar,
  type DrawnBar,
  type Lane,
} from './timeline-layout.ts';

const ROW = 22;
const LANE_GAP = 10;
const AXIS = 22;
const NAMES = 84;
/** Of a letter in the font of a label, for cutting labels without measuring them. */
const LETTER = 6.4;

interface Window {
  readonly from: number;
  readonly to: number;
}

export interface TimelineProps {
  readonly items: readonly TimelineItem[];
  readonly running: boolean;
  readonly axis: Axis;
  readonly selected: number | undefined;
  readonly select: (item: TimelineItem) => void;
}

/** The journal of a task, drawn: a lane for each kind of thing, a bar for each thing. */
export function TimelineChart({ items, running, axis, selected, select }: TimelineProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const current = running ? now.value : 0;
  const layout = useMemo(() => layOut(items, axis, current, running), [items, axis, current, running]);
  const [zoom, setZoom] = useState<Window>();
  useEffect(() => setZoom(undefined), [axis]);
  const shown = zoom ?? { from: layout.from, to: layout.to + (layout.to - layout.from) * 0.02 };
  const plotWidth = Math.max(60, width - NAMES);
  const x = (value: number): number => NAMES + ((value - shown.from) / (shown.to - shown.from)) * plotWidth;

  const zoomBy = (factor: number, at = (shown.from + shown.to) / 2): void =>
    setZoom(clamped({ from: at - (at - shown.from) * factor, to: at + (shown.to - at) * factor }, layout));
  const moveBy = (share: number): void => {
    const by = (shown.to - shown.from) * share;
    setZoom(clamped({ from: shown.from + by, to: shown.to + by }, layout));
  };
  const zoomTo = (window: Window): void => setZoom(clamped(window, layout));
  const step = (by: number): void => {
    const index = items.findIndex(({ firstSequence }) => firstSequence === selected);
    const next = items[Math.min(items.length - 1, Math.max(0, index + by))];
    if (next !== undefined) select(next);
  };
  useShortcuts([
    { keys: 'j', label: 'Next item', run: () => step(1) },
    { keys: 'k', label: 'Previous item', run: () => step(-1) },
    { keys: '+', label: 'Zoom in', run: () => zoomBy(0.6) },
    { keys: '-', label: 'Zoom out', run: () => zoomBy(1 / 0.6) },
    { keys: '0', label: 'Show all', run: () => setZoom(undefined) },
    { keys: 'ArrowLeft', label: 'Earlier', run: () => moveBy(-0.25) },
    { keys: 'ArrowRight', label: 'Later', run: () => moveBy(0.25) },
  ]);
  const drag = useDrag((pixels) => {
    const by = (-pixels / plotWidth) * (shown.to - shown.from);
    setZoom(clamped({ from: shown.from + by, to: shown.to + by }, layout));
  });
  const onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const share = (event.offsetX - NAMES) / plotWidth;
    zoomBy(event.deltaY > 0 ? 1.2 : 1 / 1.2, shown.from + share * (shown.to - shown.from));
  };

  const height = layout.lanes.reduce((sum, { rows }) => sum + rows * ROW + LANE_GAP, AXIS + 4);
  let top = AXIS;
  return (
    <div class="timeline" ref={box}>
      <div class="timeline-tools" role="group" aria-label="Zoom">
        <span class="muted">
          {axis === 'time'
            ? duration(layout.to - layout.from)
            : `${Math.max(0, layout.to - layout.from)} events`}
        </span>
        <button type="button" class="small" aria-label="Zoom in" onClick={() => zoomBy(0.6)}>
          +
        </button>
        <button type="button" class="small" aria-label="Zoom out" onClick={() => zoomBy(1 / 0.6)}>
          −
        </button>
        <button type="button" class="small" disabled={zoom === undefined} onClick={() => setZoom(undefined)}>
          All
        </button>
      </div>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`Timeline with ${items.length} items. The list has the same as text.`}
        onWheel={onWheel}
        {...drag}
      >
        <Grid shown={shown} axis={axis} width={plotWidth} height={height} x={x} />
        {layout.lanes.map((lane) => {
          const laneTop = top;
          top += lane.rows * ROW + LANE_GAP;
          return <LaneBars key={lane.name} {...{ lane, top: laneTop, x, width, selected, select, zoomTo }} />;
        })}
        {running && axis === 'time' && x(current) <= width && (
          <line class="now" x1={x(current)} x2={x(current)} y1={AXIS - 6} y2={height} />
        )}
      </svg>
    </div>
  );
}

function Grid({
  shown,
  axis,
  width,
  height,
  x,
}: {
  shown: Window;
  axis: Axis;
  width: number;
  height: number;
  x: (value: number) => number;
}): JSX.Element {
  const fine = shown.to - shown.from < 20_000;
  const label = (at: number): string =>
    axis === 'events' ? `#${at}` : fine ? preciseTime(at, clock.value) : shortTime(at, clock.value);
  return (
    <g class="grid">
      {ticksOf(shown.from, shown.to, width, axis).map((at) => (
        <g key={at}>
          <line x1={x(at)} x2={x(at)} y1={AXIS - 4} y2={height} />
          <text x={x(at) + 3} y={AXIS - 9}>
            {label(at)}
          </text>
        </g>
      ))}
    </g>
  );
}

function LaneBars({
  lane,
  top,
  x,
  width,
  selected,
  select,
  zoomTo,
}: {
  lane: Lane;
  top: number;
  x: (value: number) => number;
  width: number;
  selected: number | undefined;
  select: (item: TimelineItem) => void;
  zoomTo: (window: Window) => void;
}): JSX.Element {
  return (
    <g>
      <line class="lane-line" x1={0} x2={width} y1={top - LANE_GAP / 2} y2={top - LANE_GAP / 2} />
      <text class="lane-name" x={2} y={top + 15}>
        {lane.name}
      </text>
      {drawnBars(lane, x, [NAMES, width]).map((drawn, index) => (
        <BarShape
          key={index}
          drawn={drawn}
          top={top + drawn.bars[0].row * ROW}
          selected={drawn.bars.some(({ item }) => item.firstSequence === selected)}
          open={() => {
            select(drawn.bars[0].item);
            if (drawn.bars.length > 1) zoomTo(spanOfBars(drawn.bars));
          }}
        />
      ))}
    </g>
  );
}

/** The time of bars that are drawn as one, with some room around it. */
function spanOfBars(bars: readonly Bar[]): Window {
  const from = bars.reduce((one, bar) => Math.min(one, bar.from), Infinity);
  const to = bars.reduce((one, bar) => Math.max(one, bar.to), -Infinity);
  const margin = Math.max(1, (to - from) * 0.1);
  return { from: from - margin, to: to + margin };
}

function BarShape({
  drawn: { bars, left, right, room, tone },
  top,
  selected,
  open,
}: {
  drawn: DrawnBar;
  top: number;
  selected: boolean;
  open: () => void;
}): JSX.Element {
  const width = right - left;
  const [{ item, label }] = bars;
  const isOne = bars.length === 1;
  const text = isOne ? visibleLine(label, 200) : '';
  const inside = width > 40;
  const start = inside ? left + 5 : left + width + 4;
  const fitting = Math.floor((inside ? width - 8 : room - left - width - 6) / LETTER);
  const shown = text.length <= fitting ? text : fitting > 4 ? `${text.slice(0, fitting - 1)}…` : '';
  return (
    <g
      class={`bar ${tone}${selected ? ' selected' : ''}${isOne ? '' : ' several'}${item.endedAt === null ? ' open' : ''}`}
      onClick={open}
    >
      <title>{isOne ? `${item.kind}: ${text}` : `${bars.length} items. Click to zoom in.`}</title>
      <rect
        class="bar-hit"
        x={left}
        y={top}
        width={Math.max(width, shown === '' ? 0 : room - left - 8)}
        height={ROW - 2}
      />
      <rect class="bar-fill" x={left} y={top + 1} width={width} height={ROW - 4} rx={3} />
      {shown !== '' && (
        <text x={start} y={top + 14}>
          {shown}
        </text>
      )}
    </g>
  );
}

function clamped({ from, to }: Window, { from: first, to: last }: Window): Window {
  const span = Math.min(Math.max(to - from, (last - first) / 10_000, 1e-3), (last - first) * 1.2);
  const start = Math.min(Math.max(from, first - span * 0.1), Math.max(first, last - span * 0.9));
  return { from: start, to: start + span };
}

function useWidth(box: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(800);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** Moves the window with the pointer; a click without a move stays a click. */
function useDrag(move: (pixels: number) => void): {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
} {
  const last = useRef<number | undefined>(undefined);
  return {
    onPointerDown: (event) => {
      if (event.pointerType === 'mouse') last.current = event.clientX;
    },
    onPointerMove: (event) => {
      if (last.current === undefined || event.buttons === 0) return;
      move(event.clientX - last.current);
      last.current = event.clientX;
    },
    onPointerUp: () => {
      last.current = undefined;
    },
  };
}
