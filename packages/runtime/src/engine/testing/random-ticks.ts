/** Lets a random number of ticks pass, none to `most`, so that runs meet in ever new orders. */
export async function randomTicks(most: number): Promise<void> {
  for (let left = Math.floor(Math.random() * (most + 1)); left > 0; left -= 1)
    await new Promise(setImmediate);
}
