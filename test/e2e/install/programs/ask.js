// node ask.js URL TEXT: prints the state of the task and what the agent said.
import { A2AAgents, A2ASession } from '@holdword/client';

const [url, text] = process.argv.slice(2);
const agents = new A2AAgents({ agent: { url } });
const answer = await new A2ASession(agents).sendMessage('agent', text);
const said = answer.status.message?.parts.map((part) => part.text).join('');
console.log(`${answer.status.state}: ${said}`);
agents.close();
