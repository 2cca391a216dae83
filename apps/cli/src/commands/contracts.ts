import { command, type CommandGroup } from '../command.js';
import { showList } from '../listing.js';
import { CONTRACT } from '../places.js';

const list = command({
  name: 'list',
  about: 'List the contracts that are built in',
  examples: [['contracts list', 'Their names, which applications are created with']],
  async run(session) {
    const contracts = session.client.items('/v1/contracts', { signal: session.interrupted });
    await showList(
      session,
      contracts,
      [
        { title: 'contract', of: ({ name }) => name },
        { title: 'title', of: ({ title }) => title, cut: true },
        { title: 'event types', of: ({ eventTypes }) => eventTypes.length },
        { title: 'attempts', of: ({ defaults }) => defaults.retryWaits.length + 1 },
        { title: 'webhook', of: ({ webhook }) => (webhook ? 'yes' : 'no') },
      ],
      { none: 'No contract is built in.' },
    );
  },
});

const show = command({
  name: 'show',
  about: 'Show a contract: event types, headers, defaults',
  places: { contract: CONTRACT },
  examples: [['contracts show tf-fiscal', 'What its receivers rely on']],
  async run({ client, output, interrupted }, { contract }) {
    const found = await client.get('/v1/contracts/{name}', { path: { name: contract }, signal: interrupted });
    const { defaults, url, eventIdentity } = found;
    output.one(found, [
      ['contract', found.name],
      ['title', found.title],
      ['event id', eventIdentity === 'producer' ? "the producer's" : 'derived from the content'],
      ['webhook', found.webhook ? 'one for each application' : 'no'],
      ['credentials', found.endpoint.credentials.join(', ')],
      ['url', `${url.schemes.join(' or ')}${url.maxLength === null ? '' : `, ${url.maxLength} characters`}`],
      ['headers', found.headers.join(', ')],
      ['test event', found.testEvent ?? 'none'],
      ['retries after', defaults.retryWaits.join(', ')],
      ['then', found.exhausted],
      ['timeout', defaults.timeout],
      ['disabled after', defaults.breakerThreshold === 0 ? 'never' : `${defaults.breakerThreshold} failures`],
    ]);
    if (output.json) return;
    output.line();
    output.table(found.eventTypes, [
      { title: 'event type', of: ({ name }) => name },
      { title: 'fields', of: ({ fields }) => fields.map(({ name }) => name).join(', '), cut: true },
      {
        title: 'about',
        of: ({ description, reserved }) => (reserved ? `${description} (reserved)` : description),
        cut: true,
      },
    ]);
  },
});

export const CONTRACTS: CommandGroup = {
  name: 'contracts',
  about: 'What receivers rely on',
  commands: [list, show],
};
