import { callHttp } from '../../support/drivers/http-client.ts';

/** The sum of a metric over all label sets that match. */
export async function readMetric(baseUrl: string, name: string, labels = ''): Promise<number> {
  const { body } = await callHttp({ url: `${baseUrl}/metrics` });
  return body
    .split('\n')
    .filter((line) => line.startsWith(name) && /[ {]/.test(line.charAt(name.length)) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
