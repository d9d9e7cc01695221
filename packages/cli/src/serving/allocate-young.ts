import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate all objects in the young generation. Otherwise, when enough objects from one allocation site survive, as
 * those of requests in flight do under load, V8 allocates all objects from that site in the old generation. Objects of a
 * request are garbage a few milliseconds later, and collecting them there takes a full garbage collection.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
