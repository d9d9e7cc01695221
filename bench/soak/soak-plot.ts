import { SERIES, SERIES_NAMES, type Sample, type SeriesName } from './soak-samples.ts';

const WIDTH = 760;
const HEIGHT = 130;
const LEFT = 60;
const GAP = 44;

/** The samples as an SVG picture: one panel per series, each from zero. */
export function plotSamples(samples: readonly Sample[], title: string): string {
  const last = samples.at(-1)?.minutes ?? 1;
  const panels = SERIES_NAMES.map((series, index) =>
    panel(samples, series, last, 40 + index * (HEIGHT + GAP)),
  );
  const height = 40 + SERIES_NAMES.length * (HEIGHT + GAP);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH + LEFT + 20} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
<text x="${LEFT}" y="20" font-size="14">${title}</text>
${panels.join('\n')}
</svg>
`;
}

function panel(samples: readonly Sample[], series: SeriesName, last: number, top: number): string {
  const values = samples.map((sample) => sample[series]).filter(Number.isFinite);
  const most = Math.max(1, ...values);
  const bottom = top + HEIGHT;
  const points = samples
    .filter((sample) => Number.isFinite(sample[series]))
    .map((sample) => {
      const x = LEFT + (sample.minutes / last) * WIDTH;
      const y = bottom - (sample[series] / most) * (HEIGHT - 14);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
  return `<text x="${LEFT}" y="${top}">${SERIES[series]} (at most ${Math.round(most)})</text>
<path d="M${LEFT} ${top + 8}V${bottom}H${LEFT + WIDTH}" fill="none" stroke="#999"/>
<text x="${LEFT - 6}" y="${bottom}" text-anchor="end">0</text>
<text x="${LEFT - 6}" y="${top + 18}" text-anchor="end">${Math.round(most)}</text>
<text x="${LEFT + WIDTH}" y="${bottom + 16}" text-anchor="end">${last.toFixed(0)} minutes</text>
<polyline points="${points.join(' ')}" fill="none" stroke="#1f6feb" stroke-width="1.5"/>`;
}
