// An agent in a separate process: claims a hand-off, prints its lease, and then does nothing until it is killed.
// Its arguments are the address of the hub and the parameters of the claim as JSON.
const [url = '', headers = '{}', params = '{}'] = process.argv.slice(2);
const response = await fetch(`${url}/v1/a2a`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...(JSON.parse(headers) as Record<string, string>) },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'handoff/claim',
    params: JSON.parse(params) as unknown,
  }),
});
const { result } = (await response.json()) as { result: { lease_token: string } };
process.stdout.write(`lease ${result.lease_token} .\n`);
setInterval(() => {}, 60_000);
