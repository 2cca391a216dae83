import { command, type CommandGroup } from '../command.js';
import { deliveryColumns } from '../delivery-columns.js';
import { pageLimit, showList } from '../listing.js';
import { DETACH, LIMIT, listOption, PERIOD, RATE, textOption } from '../options.js';
import { startReplay } from '../replay-start.js';
import { WrongUsage } from '../wrong-usage.js';

const list = command({
  name: 'list',
  about: 'List deliveries whose attempts are used up, the last to finish first',
  options: {
    application: listOption('Of this application'),
    endpoint: listOption('For this endpoint'),
    event: listOption('Of this event; needs --application'),
    type: listOption('Of this event type'),
    ...PERIOD,
    limit: LIMIT,
  },
  examples: [
    ['dead-letters list --since 24h', 'Those that finished within a day'],
    ['dead-letters list --endpoint 251604938752001 --json', 'Those of an endpoint, as one JSON array'],
  ],
  async run(session, { application, endpoint, event, type, since, until, limit }) {
    const deadLetters = session.client.items('/v1/dead-letters', {
      query: { application, endpoint, event, type, since, until, limit: pageLimit(limit) },
      signal: session.interrupted,
    });
    const finished = { title: 'finished', of: ({ finishedAt }: { finishedAt: string | null }) => finishedAt };
    await showList(session, deadLetters, deliveryColumns(session.output, finished), {
      limit,
      none: 'There is no such dead letter.',
    });
  },
});

const redeliver = command({
  name: 'redeliver',
  about: 'Send dead letters again, the oldest first; at least one filter is needed',
  options: {
    application: textOption('Those of this application'),
    endpoint: textOption('Those for this endpoint'),
    type: textOption('Those of this event type'),
    ...PERIOD,
    ids: listOption('These deliveries and no others'),
    rate: RATE,
    detach: DETACH,
  },
  asks: true,
  examples: [
    ['dead-letters redeliver --endpoint 251604938752001', 'Shows what it would take, asks, and waits'],
    ['dead-letters redeliver --application acme --since 6h --rate 50 --yes', 'Slowly, without being asked'],
  ],
  async run(session, { application, endpoint, type, since, until, ids, rate, detach }) {
    const filter = { application, endpoint, type, since, until, ids };
    if (Object.values(filter).every((value) => value === undefined)) {
      throw new WrongUsage(
        'Say which: --application, --endpoint, --type, --since, --until or --ids. --since 365d takes them all.',
      );
    }
    const call = (body: { dryRun?: true; ratePerSecond?: number | undefined }) =>
      session.client.post('/v1/dead-letters/redeliver', {
        body: { ...filter, ...body },
        signal: session.interrupted,
      });
    return startReplay(session, call, { what: 'Redeliver', rate, detach });
  },
});

export const DEAD_LETTERS: CommandGroup = {
  name: 'dead-letters',
  about: 'Deliveries that were given up',
  commands: [list, redeliver],
};
