import { setTimeout as sleep } from 'node:timers/promises';
import type { Schemas } from '#client/api-call.js';
import { attemptColumns } from '../attempt-columns.js';
import { showExchange } from '../attempt-exchange.js';
import { command, type CommandGroup } from '../command.js';
import { deliveryColumns } from '../delivery-columns.js';
import { EXIT_CODES } from '../exit-code.js';
import { pageLimit, showList } from '../listing.js';
import { choicesOption, DELIVERY_STATES, LIMIT, listOption, PERIOD } from '../options.js';
import type { Line } from '../output.js';
import { ATTEMPT, DELIVERY } from '../places.js';
import type { Session } from '../session.js';
import { shownTime, shownTimeFromNow } from '../shown-time.js';

type Delivery = Schemas['Delivery'];

const POLL_MS = 300;

const list = command({
  name: 'list',
  about: 'List deliveries, the newest first',
  options: {
    state: choicesOption('In this state', DELIVERY_STATES),
    application: listOption('Of this application'),
    endpoint: listOption('For this endpoint'),
    event: listOption('Of this event; needs --application'),
    type: listOption('Of this event type'),
    ...PERIOD,
    limit: LIMIT,
  },
  examples: [
    ['deliveries list --application acme --state pending --since 2h', 'What waits of the last two hours'],
    ['deliveries list --application acme --event order-1042-paid', 'Where an event went'],
  ],
  async run(session, { limit, ...query }) {
    const { state, application, endpoint, event, type, since, until } = query;
    const deliveries = session.client.items('/v1/deliveries', {
      query: { state, application, endpoint, event, type, since, until, limit: pageLimit(limit) },
      signal: session.interrupted,
    });
    await showList(session, deliveries, deliveryColumns(session.output), {
      limit,
      none: 'There is no such delivery.',
    });
  },
});

const show = command({
  name: 'show',
  about: 'Show a delivery and every attempt of it',
  places: { delivery: DELIVERY },
  examples: [
    ['deliveries show 251604938752077', 'What was tried, what came back, when it is tried next'],
    ['deliveries show 251604938752077 --json', 'The delivery, its attempts under "attempts"'],
  ],
  run: (session, { delivery }) => showDelivery(session, delivery),
});

const attempt = command({
  name: 'attempt',
  about: 'Show an attempt: its request and its response as they were, credentials masked',
  places: { delivery: DELIVERY, attempt: ATTEMPT },
  examples: [
    ['deliveries attempt 251604938752077 1', 'What was sent to which address, and what was answered'],
  ],
  async run({ client, output, interrupted }, { delivery, attempt: number }) {
    const path = { id: delivery, number };
    showExchange(
      output,
      await client.get('/v1/deliveries/{id}/attempts/{number}', { path, signal: interrupted }),
    );
  },
});

const redeliver = command({
  name: 'redeliver',
  about: 'Owe a delivery now: a pending one in its cycle, any other in a new one',
  places: { delivery: DELIVERY },
  options: {
    wait: { type: 'boolean', describe: 'Until it is delivered (0) or has failed again (4)' },
  },
  examples: [
    ['deliveries redeliver 251604938752077', 'Sent in the background'],
    ['deliveries redeliver 251604938752077 --wait', 'Shows what came of the first attempt'],
  ],
  async run(session, { delivery, wait }) {
    const { client, output, interrupted } = session;
    const owed = await client.post('/v1/deliveries/{id}/redeliver', {
      path: { id: delivery },
      signal: interrupted,
    });
    if (wait !== true) {
      output.one(owed, linesOf(owed));
      return EXIT_CODES.done;
    }
    return waitForAttempt(session, owed);
  },
});

const cancel = command({
  name: 'cancel',
  about: 'Cancel a pending delivery',
  places: { delivery: DELIVERY },
  asks: true,
  examples: [['deliveries cancel 251604938752077 --yes', 'Without being asked']],
  async run(session, { delivery }) {
    const { client, output, interrupted } = session;
    const path = { id: delivery };
    const { application, type, event } = await client.get('/v1/deliveries/{id}', {
      path,
      signal: interrupted,
    });
    if (!(await session.agreed(`Cancel ${delivery} (${type} ${event ?? ''} of ${application})?`))) {
      return EXIT_CODES.refused;
    }
    const canceled = await client.post('/v1/deliveries/{id}/cancel', { path, signal: interrupted });
    output.one(canceled, linesOf(canceled));
    return EXIT_CODES.done;
  },
});

export const DELIVERIES: CommandGroup = {
  name: 'deliveries',
  about: 'One event for one endpoint, and its attempts',
  commands: [list, show, attempt, redeliver, cancel],
};

async function showDelivery({ client, output, interrupted }: Session, id: string): Promise<void> {
  const delivery = await client.get('/v1/deliveries/{id}', { path: { id }, signal: interrupted });
  const attempts: Schemas['Attempt'][] = [];
  const items = client.items('/v1/deliveries/{id}/attempts', { path: { id }, signal: interrupted });
  for await (const attempt of items) attempts.push(attempt);
  output.one({ ...delivery, attempts }, linesOf(delivery));
  if (output.json || attempts.length === 0) return;
  output.line();
  output.table(attempts, [
    { title: 'cycle', of: ({ cycle }) => cycle, spare: true },
    { title: 'attempt', of: ({ number }) => number },
    { title: 'trigger', of: ({ trigger, superseded }) => (superseded ? `${trigger}, too late` : trigger) },
    // The columns of any attempt are those of the delivery's too.
    ...attemptColumns(output),
    { title: 'next', of: ({ nextAttemptAt }) => shownTime(nextAttemptAt), spare: true },
  ]);
}

/** Until one more attempt is finished, or nothing is owed any more. */
async function waitForAttempt(session: Session, owed: Delivery) {
  const { client, output, interrupted } = session;
  const path = { id: owed.id };
  let delivery = owed;
  try {
    while (delivery.state === 'pending' && delivery.attemptCount === owed.attemptCount) {
      await sleep(POLL_MS, undefined, { signal: interrupted });
      delivery = await client.get('/v1/deliveries/{id}', { path, signal: interrupted });
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
    output.remark(`Left. It is owed all the same: entrega deliveries show ${owed.id} shows it.`);
    return EXIT_CODES.interrupted;
  }
  output.one(delivery, linesOf(delivery));
  return delivery.state === 'delivered' ? EXIT_CODES.done : EXIT_CODES.failedAgain;
}

function linesOf(delivery: Delivery): Line[] {
  const { lastError, lastHttpStatus, finishedAt, deliveredAt } = delivery;
  return [
    ['delivery', delivery.id],
    ['event', delivery.event ?? 'no longer kept'],
    ['type', delivery.type],
    ['application', delivery.application],
    ['endpoint', delivery.endpoint],
    ['state', delivery.state],
    ['attempts', `${delivery.attemptCount} of ${delivery.maxAttempts}, cycle ${delivery.cycle}`],
    ['last answer', lastHttpStatus],
    ['last error', lastError && `${lastError.message} (${lastError.code})`],
    ['next attempt', delivery.nextAttemptAt === null ? null : shownTimeFromNow(delivery.nextAttemptAt)],
    ['created', shownTimeFromNow(delivery.createdAt)],
    ['delivered', deliveredAt === null ? null : shownTimeFromNow(deliveredAt)],
    ['finished', finishedAt === null || finishedAt === deliveredAt ? null : shownTimeFromNow(finishedAt)],
  ];
}
