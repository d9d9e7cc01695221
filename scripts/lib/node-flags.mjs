/**
 * The flags of Node that `holdword` runs with, the same as in the first line of packages/cli/src/main.ts.
 *
 * V8 allocates objects in the old generation when enough others from the same place in the code have survived, as those of
 * requests in flight do under load. They are garbage a few milliseconds later, and collecting them there takes a full garbage
 * collection: docs/decisions/2026-11-17-measured-optimisations.md.
 */
export const NODE_FLAGS = ['--no-allocation-site-pretenuring'];
