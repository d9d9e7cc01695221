import { expect, it } from 'vitest';
import { sampleTable, sampleTask, sampleText } from './sample-content.ts';

it('creates content of the requested size', () => {
  const wanted = 3_000_000;
  for (const length of [JSON.stringify(sampleTable(wanted)).length, sampleText(wanted).length]) {
    expect(length).toBeGreaterThanOrEqual(wanted);
    expect(length).toBeLessThan(wanted * 1.7);
  }
  expect(sampleTask(7).artifacts).toHaveLength(7);
});
