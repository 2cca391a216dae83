import type { Schemas } from '#client/api-call.js';
import { attemptColumns } from '../attempt-columns.js';
import { command, type CommandGroup } from '../command.js';
import { EXIT_CODES } from '../exit-code.js';
import { pageLimit, showList } from '../listing.js';
import { choicesOption, LIMIT, textOption, timeOption } from '../options.js';
import type { Line } from '../output.js';
import { APPLICATION, ENDPOINT } from '../places.js';
import { stateStyle } from '../shown-state.js';
import { shownTime, shownTimeFromNow } from '../shown-time.js';

type Endpoint = Schemas['Endpoint'];

const STATES = ['active', 'paused', 'disabled', 'revoked'] as const satisfies readonly Endpoint['state'][];

const list = command({
  name: 'list',
  about: 'List the endpoints of an application, its webhook first',
  places: { application: APPLICATION },
  options: { state: choicesOption('In this state', STATES), limit: LIMIT },
  examples: [
    ['endpoints list acme', 'Those that are not revoked'],
    ['endpoints list acme --state disabled,paused', 'Those that get nothing'],
  ],
  async run(session, { application, state, limit }) {
    const endpoints = session.client.items('/v1/applications/{application}/endpoints', {
      path: { application },
      query: { state, limit: pageLimit(limit) },
      signal: session.interrupted,
    });
    await showList(
      session,
      endpoints,
      [
        { title: 'endpoint', of: ({ id }) => id },
        { title: 'state', of: (endpoint) => endpoint.state, style: stateStyle(session.output) },
        { title: 'url', of: ({ url }) => url, cut: true },
        { title: 'pending', of: ({ stats }) => stats.pending },
        { title: 'failures', of: ({ consecutiveFailures }) => consecutiveFailures },
        { title: 'last success', of: ({ stats }) => shownTime(stats.lastSuccessAt), spare: true },
        { title: 'why', of: ({ disabledReason }) => disabledReason ?? '', cut: true },
      ],
      { limit, none: 'There is no such endpoint.' },
    );
  },
});

const show = command({
  name: 'show',
  about: 'Show an endpoint',
  places: { endpoint: ENDPOINT },
  examples: [['endpoints show 251604938752001', 'Its state, what waits for it, when it last acknowledged']],
  async run({ client, output, interrupted }, { endpoint }) {
    const found = await client.get('/v1/endpoints/{id}', { path: { id: endpoint }, signal: interrupted });
    output.one(found, linesOf(found));
    if (found.state === 'disabled' && !output.json) {
      output.remark(
        `When the receiver is mended: entrega endpoints verify ${found.id} tests it, entrega endpoints enable ${found.id} delivers to it again.`,
      );
    }
  },
});

const enable = command({
  name: 'enable',
  about: 'Deliver to it again, its failures forgotten',
  places: { endpoint: ENDPOINT },
  examples: [['endpoints enable 251604938752001', 'Says how many deliveries it missed, and what sends them']],
  async run({ client, output, interrupted }, { endpoint }) {
    const path = { id: endpoint };
    const { disabledAt } = await client.get('/v1/endpoints/{id}', { path, signal: interrupted });
    const enabled = await client.post('/v1/endpoints/{id}/enable', { path, signal: interrupted });
    output.one(enabled, [...linesOf(enabled), ['suppressed', enabled.suppressedCount]]);
    if (enabled.suppressedCount > 0) {
      // A little earlier, for an event may have been accepted while the breaker opened.
      const since = disabledAt === null ? '24h' : minuteBefore(disabledAt);
      output.remark(
        `Missed while it was disabled: entrega replay ${enabled.id} --since ${since} --states suppressed sends it.`,
      );
    }
    if (disabledAt !== null) {
      output.remark(
        `Given up before: entrega dead-letters redeliver --endpoint ${enabled.id} shows how many, and asks.`,
      );
    }
  },
});

const disable = command({
  name: 'disable',
  about: 'Suppress new events for it; what is queued goes on',
  places: { endpoint: ENDPOINT },
  options: { reason: textOption('Shown with its state') },
  asks: true,
  examples: [['endpoints disable 251604938752001 --reason "moved away" --yes', 'Without being asked']],
  async run(session, { endpoint, reason }) {
    const { client, output, interrupted } = session;
    const path = { id: endpoint };
    const { application, url } = await client.get('/v1/endpoints/{id}', { path, signal: interrupted });
    const question = `Disable ${endpoint} of ${application} (${url})? New events will be suppressed for it.`;
    if (!(await session.agreed(question))) return EXIT_CODES.refused;
    const disabled = await client.post('/v1/endpoints/{id}/disable', {
      path,
      body: { reason },
      signal: interrupted,
    });
    output.one(disabled, linesOf(disabled));
    return EXIT_CODES.done;
  },
});

const pause = command({
  name: 'pause',
  about: 'Send nothing until it is resumed; what comes in waits',
  places: { endpoint: ENDPOINT },
  examples: [['endpoints pause 251604938752001', 'During the maintenance of a receiver']],
  async run({ client, output, interrupted }, { endpoint }) {
    const paused = await client.post('/v1/endpoints/{id}/pause', {
      path: { id: endpoint },
      signal: interrupted,
    });
    output.one(paused, linesOf(paused));
  },
});

const resume = command({
  name: 'resume',
  about: 'End a pause; what fell due is owed at once',
  places: { endpoint: ENDPOINT },
  examples: [['endpoints resume 251604938752001', 'Says how many were overdue']],
  async run({ client, output, interrupted }, { endpoint }) {
    const resumed = await client.post('/v1/endpoints/{id}/resume', {
      path: { id: endpoint },
      signal: interrupted,
    });
    output.one(resumed, [...linesOf(resumed), ['overdue', resumed.overdueCount]]);
  },
});

const verify = command({
  name: 'verify',
  about: 'Send a test delivery; changes nothing',
  places: { endpoint: ENDPOINT },
  examples: [['endpoints verify 251604938752001', 'Ends with 1 where it was not acknowledged']],
  async run({ client, output, interrupted }, { endpoint }) {
    const result = await client.post('/v1/endpoints/{id}/verify', {
      path: { id: endpoint },
      signal: interrupted,
    });
    if (output.json) output.one(result, []);
    else output.table([result.attempt], attemptColumns(output));
    return result.ok ? EXIT_CODES.done : EXIT_CODES.refused;
  },
});

const rotateSecret = command({
  name: 'rotate-secret',
  about: 'Issue other credentials of an endpoint, where the contract generates them',
  places: { endpoint: ENDPOINT },
  options: { 'activate-at': timeOption('activate-at', 'Use them from then on', 'ahead') },
  asks: true,
  examples: [
    ['endpoints rotate-secret 251604938752001 --activate-at 24h', 'The receiver has a day to take them over'],
  ],
  async run(session, { endpoint, 'activate-at': activateAt }) {
    const { client, output, interrupted } = session;
    const from = activateAt === undefined ? 'from the next attempt on' : `from ${shownTime(activateAt)} on`;
    if (!(await session.agreed(`Issue other credentials for ${endpoint}, used ${from}?`))) {
      return EXIT_CODES.refused;
    }
    const rotated = await client.post('/v1/endpoints/{id}/rotate-secret', {
      path: { id: endpoint },
      body: { activateAt },
      signal: interrupted,
    });
    const issued = Object.entries(rotated.issuedCredentials);
    output.one(rotated, [...linesOf(rotated), ...issued]);
    output.remark('They are shown now and never again.');
    return EXIT_CODES.done;
  },
});

export const ENDPOINTS: CommandGroup = {
  name: 'endpoints',
  about: 'Where webhooks are sent to',
  commands: [list, show, enable, disable, pause, resume, verify, rotateSecret],
};

function linesOf(endpoint: Endpoint): Line[] {
  const { stats, credentials } = endpoint;
  return [
    ['endpoint', endpoint.id],
    ['application', endpoint.application],
    ['url', endpoint.url],
    ['description', endpoint.description],
    ['webhook', endpoint.webhook ? 'yes: the one of its application' : null],
    ['event types', endpoint.eventTypes?.join(', ') ?? 'all'],
    ['state', endpoint.state],
    ['disabled', endpoint.disabledAt === null ? null : shownTimeFromNow(endpoint.disabledAt)],
    ['why', endpoint.disabledReason],
    ['failures in a row', endpoint.consecutiveFailures],
    ['credentials', credentialNames(credentials)],
    ['next credentials', endpoint.nextCredentialsAt === null ? null : shownTime(endpoint.nextCredentialsAt)],
    ['pending', stats.pending],
    ['oldest due', stats.oldestDueAt === null ? null : shownTimeFromNow(stats.oldestDueAt)],
    ['last success', shownTimeFromNow(stats.lastSuccessAt)],
    ['last failure', shownTimeFromNow(stats.lastFailureAt)],
    ['created', shownTime(endpoint.createdAt)],
    ['updated', shownTime(endpoint.updatedAt)],
  ];
}

function minuteBefore(time: string): string {
  return shownTime(new Date(Date.parse(time) - 60_000).toISOString());
}

function credentialNames(credentials: Endpoint['credentials']): string | null {
  const set = Object.entries(credentials).flatMap(([name, credential]) => (credential.set ? [name] : []));
  return set.length === 0 ? null : set.join(', ');
}
