// Small plots: a line over time, a row of beats. Drawn as SVG; the numbers are beside them as text.
import type { JSX } from 'preact';

export interface Point {
  readonly at: number;
  readonly value: number;
}

const WIDTH = 320;
const HEIGHT = 72;

/** A line over time, from zero to its highest value. A hole in the series is a hole in the line. */
export function Plot({
  title,
  points,
  unit,
  from,
  to,
}: {
  title: string;
  points: readonly Point[];
  unit: (value: number) => string;
  from: number;
  to: number;
}): JSX.Element {
  const highest = Math.max(0, ...points.map(({ value }) => value));
  const latest = points.at(-1)?.value;
  const summary = latest === undefined ? 'no data yet' : `now ${unit(latest)}, highest ${unit(highest)}`;
  return (
    <figure class="plot">
      <figcaption>
        <span>{title}</span>
        <strong>{latest === undefined ? '–' : unit(latest)}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${summary}`}
      >
        <line class="plot-axis" x1={0} x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
        {areasOf(points, { from, to, highest }).map(({ line, area }, index) => (
          <g key={index}>
            <path class="plot-area" d={area} />
            <path class="plot-line" d={line} vector-effect="non-scaling-stroke" />
          </g>
        ))}
      </svg>
      <p class="muted plot-range">
        <span>{latest === undefined ? 'No data yet' : `max ${unit(highest)}`}</span>
      </p>
    </figure>
  );
}

interface Frame {
  readonly from: number;
  readonly to: number;
  readonly highest: number;
}

function areasOf(points: readonly Point[], { from, to, highest }: Frame): { line: string; area: string }[] {
  const x = (at: number): string => (((at - from) / Math.max(1, to - from)) * WIDTH).toFixed(1);
  const y = (value: number): string => (HEIGHT - 2 - (value / (highest || 1)) * (HEIGHT - 8)).toFixed(1);
  return withoutHoles(points).map((run) => {
    const line = run.map(({ at, value }, index) => `${index === 0 ? 'M' : 'L'}${x(at)} ${y(value)}`).join('');
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) return { line: '', area: '' };
    return { line, area: `${line}L${x(last.at)} ${HEIGHT}L${x(first.at)} ${HEIGHT}Z` };
  });
}

/** Cut where nothing was measured for more than four times as long as usual. */
function withoutHoles(points: readonly Point[]): Point[][] {
  const gaps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? at));
  const usual = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
  const runs: Point[][] = [];
  for (const [index, point] of points.entries()) {
    const run = runs.at(-1);
    if (run === undefined || (index > 0 && (gaps[index - 1] ?? 0) > usual * 4)) runs.push([point]);
    else run.push(point);
  }
  return runs;
}

/** When something was heard from, as ticks on a line. */
export function Beats({
  times,
  from,
  to,
  title,
}: {
  times: readonly number[];
  from: number;
  to: number;
  title: string;
}): JSX.Element {
  const shown = times.filter((at) => at >= from && at <= to);
  return (
    <svg
      class="beats"
      viewBox="0 0 160 20"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${title}: ${shown.length} in the time shown`}
    >
      <line class="plot-axis" x1={0} x2={160} y1={19} y2={19} />
      {shown.map((at, index) => {
        const x = ((at - from) / Math.max(1, to - from)) * 160;
        return (
          <line key={index} class="beat" x1={x} x2={x} y1={4} y2={18} vector-effect="non-scaling-stroke" />
        );
      })}
    </svg>
  );
}
