import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 allocate every object young. When enough objects of one line of code have survived, as those of requests under way
 * do under load, V8 otherwise allocates all of that line old at once. Objects of a request are garbage some milliseconds
 * later, and in the old generation they cost a search through the whole heap.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
