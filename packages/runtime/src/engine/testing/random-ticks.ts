/** Waits for a random number of ticks, zero to `most`, so that runs interleave differently each time. */
export async function randomTicks(most: number): Promise<void> {
  for (let left = Math.floor(Math.random() * (most + 1)); left > 0; left -= 1)
    await new Promise(setImmediate);
}
