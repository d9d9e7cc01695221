import { INCIDENT_KINDS, NO_INCIDENT, type IncidentKind, type Symptom } from './incident-kinds.ts';

export interface Incident {
  readonly kind: IncidentKind;
  /** What it was recognized by, in a form that can be verified. */
  readonly symptoms: readonly string[];
}

/** Classifies an incident by the message or, if it describes none, by the agent's last heartbeat. */
export function readIncident(text: string, reported: readonly Symptom[]): Incident {
  const symptoms = reported.map((symptom) => symptom.text);
  for (const kind of INCIDENT_KINDS) {
    const said = kind.words?.exec(text)?.[0];
    if (said !== undefined) return { kind, symptoms: [`your message says "${said}"`, ...symptoms] };
  }
  const kind = INCIDENT_KINDS.find(({ metric }) => reported.some((symptom) => symptom.metric === metric));
  return { kind: kind ?? NO_INCIDENT, symptoms };
}
