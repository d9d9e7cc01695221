import type { IncidentKind } from './incident-kind.ts';
import { INCIDENT_KINDS, NO_INCIDENT } from './incident-kinds.ts';
import type { Sign } from './sign.ts';

export interface Incident {
  readonly kind: IncidentKind;
  /** What it was recognised by, in words that can be checked. */
  readonly signs: readonly string[];
}

/** The kind of trouble: what the message names, or else what the agent's last heartbeat shows. */
export function readIncident(text: string, shown: readonly Sign[]): Incident {
  const signs = shown.map((sign) => sign.text);
  for (const kind of INCIDENT_KINDS) {
    const said = kind.words?.exec(text)?.[0];
    if (said !== undefined) return { kind, signs: [`your message says "${said}"`, ...signs] };
  }
  const kind = INCIDENT_KINDS.find(({ figure }) => shown.some((sign) => sign.figure === figure));
  return { kind: kind ?? NO_INCIDENT, signs };
}
