import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { JsonText, type Schemas } from '#client/api-call.js';
import { command, type CommandGroup } from '../command.js';
import { deliveryColumns } from '../delivery-columns.js';
import { pageLimit, showList } from '../listing.js';
import { LIMIT, listOption, PERIOD, textOption, timeOption } from '../options.js';
import type { Line } from '../output.js';
import { APPLICATION, EVENT } from '../places.js';
import type { Session } from '../session.js';
import { showTrial } from '../publish-trial.js';
import { shownTime, shownTimeFromNow } from '../shown-time.js';
import { WrongUsage } from '../wrong-usage.js';

type Event = Schemas['Event'];

const publish = command({
  name: 'publish',
  about: 'Publish an event',
  options: {
    application: { ...textOption('Application that it is of'), demandOption: true },
    type: { ...textOption('Event type of its contract'), demandOption: true },
    id: textOption('Its id: the same publish again is then a duplicate'),
    'occurred-at': timeOption('occurred-at', 'When it happened'),
    data: textOption('Its data as JSON'),
    file: textOption('File that holds its data as JSON; - is standard input'),
    'dry-run': { type: 'boolean', describe: 'Show what would be sent to whom, and keep nothing' },
  },
  examples: [
    [
      `events publish --application acme --type cte.event.registered --id evt-1 --data '{"event_code":"110180","n_seq":"1","protocolo":"135260000000099"}'`,
      'Data on the command line',
    ],
    ['events publish --application acme --type cte.event.registered --file event.json', 'Data from a file'],
    [
      'events publish --application acme --type cte.event.registered --file - --dry-run',
      'Data from standard input; shows targets, headers and body',
    ],
  ],
  async run(session, { application, type, id, 'occurred-at': occurredAt, data, file, 'dry-run': dryRun }) {
    const { client, output, interrupted } = session;
    const fields = { application, type, id, occurredAt };
    const published = await client.post('/v1/events', {
      body: withData(fields, await dataOf(session, data, file)),
      query: { dryRun },
      // Under an id of the producer a second time is a duplicate.
      repeatable: dryRun === true || id !== undefined,
      signal: interrupted,
    });
    if ('targets' in published) {
      showTrial(output, published);
      return;
    }
    output.one(published, [
      ['event', published.id],
      ['application', published.application],
      ['duplicate', published.duplicate ? 'yes: it was published before, nothing new was made' : null],
      ['reserved', published.reserved ? 'yes: kept, and delivered to nobody' : null],
      ['deliveries', published.deliveryCount],
      ['suppressed', published.suppressedCount],
    ]);
  },
});

const list = command({
  name: 'list',
  about: 'List events, the newest first',
  options: {
    application: listOption('Of this application'),
    type: listOption('Of this event type'),
    id: listOption('With this id'),
    ...PERIOD,
    limit: LIMIT,
  },
  examples: [['events list --application acme --since 1h', 'What an application published within an hour']],
  async run(session, { application, type, id, since, until, limit }) {
    const events = session.client.items('/v1/events', {
      query: { application, type, id, since, until, limit: pageLimit(limit) },
      signal: session.interrupted,
    });
    await showList(
      session,
      events,
      [
        { title: 'event', of: (event) => event.id, cut: true },
        { title: 'application', of: (event) => event.application },
        { title: 'type', of: (event) => event.type, cut: true, spare: true },
        { title: 'accepted', of: ({ acceptedAt }) => shownTime(acceptedAt) },
        { title: 'deliveries', of: ({ deliveryCount }) => deliveryCount },
        { title: 'suppressed', of: ({ suppressedCount }) => suppressedCount },
        { title: 'bytes', of: ({ bodyBytes }) => bodyBytes ?? 'erased', spare: true },
      ],
      { limit, none: 'There is no such event.' },
    );
  },
});

const show = command({
  name: 'show',
  about: 'Show an event, its body and its deliveries',
  places: { application: APPLICATION, event: EVENT },
  examples: [['events show acme order-1042-paid', 'What was sent, and to whom']],
  async run({ client, output, interrupted }, { application, event }) {
    const found = await client.get('/v1/applications/{application}/events/{event}', {
      path: { application, event },
      signal: interrupted,
    });
    output.one(found, [...linesOf(found), ['sha256', found.bodySha256], ['body', found.body]]);
    if (output.json || found.deliveries.length === 0) return;
    output.line();
    output.table(found.deliveries, deliveryColumns(output));
  },
});

export const EVENTS: CommandGroup = {
  name: 'events',
  about: 'What happened, as producers published it',
  commands: [publish, list, show],
};

function linesOf(event: Event): Line[] {
  return [
    ['event', event.id],
    ['application', event.application],
    ['type', event.type],
    ['occurred', shownTime(event.occurredAt)],
    ['accepted', shownTimeFromNow(event.acceptedAt)],
    ['reserved', event.reserved ? 'yes: kept, and delivered to nobody' : null],
    ['deliveries', event.deliveryCount],
    ['suppressed', event.suppressedCount === 0 ? null : event.suppressedCount],
    ['body erased', event.bodyErasedAt === null ? null : shownTime(event.bodyErasedAt)],
    ['bytes', event.bodyBytes],
  ];
}

/** The data as it was written: its digits and the order of its members reach the receiver. */
async function dataOf(
  { terminal }: Session,
  data: string | undefined,
  file: string | undefined,
): Promise<string> {
  if ((data === undefined) === (file === undefined)) {
    throw new WrongUsage('Give the data once: --data JSON, --file PATH, or --file - for standard input.');
  }
  const json = data ?? (file === '-' ? await textOf(terminal.input) : textIn(file!));
  try {
    JSON.parse(json);
  } catch (error) {
    throw new WrongUsage(`The data is no JSON: ${(error as Error).message}.`);
  }
  return json;
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new WrongUsage(`--file cannot be read: ${(error as Error).message}.`);
  }
}

function withData(fields: object, data: string): JsonText {
  return new JsonText(`${JSON.stringify(fields).slice(0, -1)},"data":${data}}`);
}
