import type { IncidentKind } from './incident-kind.ts';
import { INCIDENT_KINDS, NO_INCIDENT } from './incident-kinds.ts';
import type { Symptom } from './symptom.ts';

export interface Incident {
  readonly kind: IncidentKind;
  /** What it was recognised by, in words that can be checked. */
  readonly symptoms: readonly string[];
}

/** The kind of trouble: what the message names, or else what the agent's last heartbeat shows. */
export function readIncident(text: string, shown: readonly Symptom[]): Incident {
  const symptoms = shown.map((symptom) => symptom.text);
  for (const kind of INCIDENT_KINDS) {
    const said = kind.words?.exec(text)?.[0];
    if (said !== undefined) return { kind, symptoms: [`your message says "${said}"`, ...symptoms] };
  }
  const kind = INCIDENT_KINDS.find(({ metric }) => shown.some((symptom) => symptom.metric === metric));
  return { kind: kind ?? NO_INCIDENT, symptoms };
}
