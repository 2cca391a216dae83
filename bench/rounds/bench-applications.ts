import { callAsAdmin, type Platform } from '../processes/platform.js';
import { CONTRACT } from './event-bodies.js';

const TOKEN = 'token-of-the-bench';

/** Registers one application per origin, each with its webhook there, and returns their ids. */
export async function registerApplications(
  platform: Platform,
  prefix: string,
  origins: readonly string[],
  settings: object = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, origin] of origins.entries()) {
    const id = `${prefix}-${index + 1}`;
    await callAsAdmin(platform, 'PUT', `/v1/applications/${id}`, { name: id, contract: CONTRACT, settings });
    const webhook = { url: `${origin}/hook`, credentials: { token: TOKEN } };
    await callAsAdmin(platform, 'PUT', `/v1/applications/${id}/webhook`, webhook);
    ids.push(id);
  }
  return ids;
}

/** A key as a producer has it. */
export async function createProducerKey(platform: Platform): Promise<string> {
  const issued = await callAsAdmin<{ key: string }>(platform, 'POST', '/v1/api-keys', {
    name: 'bench',
    role: 'producer',
  });
  return issued.key;
}
