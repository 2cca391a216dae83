import type { Schemas } from '#client/api-call.js';
import { command, type CommandGroup } from '../command.js';
import { pageLimit, showList } from '../listing.js';
import { choicesOption, DETACH, LIMIT, RATE, timeOption } from '../options.js';
import { ENDPOINT, REPLAY } from '../places.js';
import { replayLines } from '../replay-lines.js';
import { startReplay } from '../replay-start.js';
import { stateStyle } from '../shown-state.js';
import { shownTime } from '../shown-time.js';

const STATES = [
  'suppressed',
  'dead',
  'closed',
  'delivered',
  'pending',
] as const satisfies readonly NonNullable<Schemas['Replay']['filter']['states']>[number][];

export const REPLAY_COMMAND = command({
  name: 'replay',
  about: 'Send deliveries of an endpoint again, by when their events were accepted',
  places: { endpoint: ENDPOINT },
  options: {
    since: { ...timeOption('since', 'Not before'), demandOption: true },
    until: timeOption('until', 'Before'),
    states: { ...choicesOption('In this state', STATES), demandOption: true },
    rate: RATE,
    detach: DETACH,
  },
  asks: true,
  examples: [
    ['replay 251604938752001 --since 24h --states suppressed,dead', 'What it missed within a day'],
    [
      'replay 251604938752001 --since 2026-01-31T02:00:00Z --until 2026-01-31T03:00:00Z --states delivered --rate 20 --yes',
      'An hour that the receiver lost',
    ],
  ],
  async run(session, { endpoint, since, until, states, rate, detach }) {
    const call = (body: { dryRun?: true; ratePerSecond?: number | undefined }) =>
      session.client.post('/v1/endpoints/{id}/replay', {
        path: { id: endpoint },
        body: { since, until, states, ...body },
        signal: session.interrupted,
      });
    return startReplay(session, call, { what: 'Send again', rate, detach });
  },
});

const list = command({
  name: 'list',
  about: 'List replays, the newest first',
  options: { limit: LIMIT },
  examples: [['replays list', 'Redeliveries of dead letters are among them']],
  async run(session, { limit }) {
    const replays = session.client.items('/v1/replays', {
      query: { limit: pageLimit(limit) },
      signal: session.interrupted,
    });
    await showList(
      session,
      replays,
      [
        { title: 'replay', of: ({ id }) => id },
        { title: 'state', of: ({ state }) => state, style: stateStyle(session.output) },
        { title: 'of', of: ({ kind }) => kind, spare: true },
        { title: 'matched', of: ({ matched }) => matched },
        { title: 'queued', of: ({ queued }) => queued },
        { title: 'skipped', of: ({ skipped }) => skipped },
        { title: 'created', of: ({ createdAt }) => shownTime(createdAt) },
        { title: 'by', of: ({ createdBy }) => createdBy, cut: true, spare: true },
      ],
      { limit, none: 'There is no replay.' },
    );
  },
});

const show = command({
  name: 'show',
  about: 'Show a replay',
  places: { replay: REPLAY },
  examples: [['replays show 7', 'How far it is']],
  async run({ client, output, interrupted }, { replay }) {
    const found = await client.get('/v1/replays/{id}', { path: { id: replay }, signal: interrupted });
    output.one(found, replayLines(found));
  },
});

const cancel = command({
  name: 'cancel',
  about: 'Stop a replay; what it queued is sent',
  places: { replay: REPLAY },
  examples: [['replays cancel 7', 'The rest stays as it was']],
  async run({ client, output, interrupted }, { replay }) {
    const canceled = await client.post('/v1/replays/{id}/cancel', {
      path: { id: replay },
      signal: interrupted,
    });
    output.one(canceled, replayLines(canceled));
  },
});

export const REPLAYS: CommandGroup = {
  name: 'replays',
  about: 'What is sent again in the background',
  commands: [list, show, cancel],
};
