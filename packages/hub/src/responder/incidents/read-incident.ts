import type { HeartbeatSeries } from '../../heartbeats/heartbeat-series.ts';
import { readSigns, type Sign } from '../../heartbeats/read-signs.ts';
import type { IncidentKind } from './incident-kind.ts';
import { INCIDENT_KINDS, NO_INCIDENT } from './incident-kinds.ts';

export interface Incident {
  readonly kind: IncidentKind;
  /** What it was recognised by, in words that can be checked. */
  readonly signs: readonly string[];
}

/** Heartbeats that are older say nothing about now. */
const FRESH_MILLISECONDS = 2 * 3_600_000;

/** The kind of trouble: what the message names, or else what the agent's last heartbeat shows. */
export function readIncident(text: string, series: HeartbeatSeries | undefined, now: number): Incident {
  const shown = freshSigns(series, now);
  const signs = shown.map((sign) => sign.text);
  for (const kind of INCIDENT_KINDS) {
    const said = kind.words?.exec(text)?.[0];
    if (said !== undefined) return { kind, signs: [`your message says "${said}"`, ...signs] };
  }
  const kind = INCIDENT_KINDS.find(({ figure }) => shown.some((sign) => sign.figure === figure));
  return { kind: kind ?? NO_INCIDENT, signs };
}

function freshSigns(series: HeartbeatSeries | undefined, now: number): Sign[] {
  const newest = series?.samples.at(-1);
  if (series === undefined || newest === undefined || now - newest.at > FRESH_MILLISECONDS) return [];
  const when = new Date(newest.at).toISOString();
  return readSigns(series.samples).map(({ figure, text }) => ({
    figure,
    text: `your heartbeat of ${when} has ${text}`,
  }));
}
