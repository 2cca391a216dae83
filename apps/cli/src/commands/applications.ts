import { readFileSync } from 'node:fs';
import type { Schemas } from '#client/api-call.js';
import { command, type CommandGroup } from '../command.js';
import { pageLimit, showList } from '../listing.js';
import { LIMIT, listOption, textOption } from '../options.js';
import type { Line } from '../output.js';
import { APPLICATION } from '../places.js';
import { shownTime } from '../shown-time.js';
import { WrongUsage } from '../wrong-usage.js';

type Application = Schemas['Application'];

const list = command({
  name: 'list',
  about: 'List applications',
  options: {
    contract: listOption('Of this contract'),
    environment: listOption('Of this environment'),
    limit: LIMIT,
  },
  examples: [
    ['applications list --contract tf-fiscal', 'Those that speak tf-fiscal'],
    ['applications list --json --limit 1000', 'As one JSON array'],
  ],
  async run(session, { contract, environment, limit }) {
    const query = {
      contract: contract as Application['contract'][] as never,
      environment,
      limit: pageLimit(limit),
    };
    const applications = session.client.items('/v1/applications', { query, signal: session.interrupted });
    await showList(
      session,
      applications,
      [
        { title: 'application', of: ({ id }) => id },
        { title: 'name', of: ({ name }) => name, cut: true },
        { title: 'contract', of: (application) => application.contract },
        { title: 'environment', of: (application) => application.environment, cut: true, spare: true },
        { title: 'created', of: ({ createdAt }) => shownTime(createdAt), spare: true },
      ],
      { limit, none: 'There is no such application.' },
    );
  },
});

const show = command({
  name: 'show',
  about: 'Show an application',
  places: { application: APPLICATION },
  examples: [['applications show acme', 'Its contract, attributes and settings']],
  async run({ client, output, interrupted }, { application }) {
    const found = await client.get('/v1/applications/{id}', {
      path: { id: application },
      signal: interrupted,
    });
    output.one(found, linesOf(found));
  },
});

const create = command({
  name: 'create',
  about: 'Create an application',
  options: {
    contract: { ...textOption('Contract that its webhooks keep to'), demandOption: true },
    name: { ...textOption('Name for people'), demandOption: true },
    id: textOption('Id; one is made without it'),
    environment: textOption('Label such as production or staging'),
    attributes: textOption('JSON object of what the contract asks for'),
    settings: textOption('JSON object of what overrides the defaults of the contract'),
    'secret-file': textOption('File that holds the secret; one is generated without it'),
  },
  examples: [
    ['applications create --id acme --name "Acme Ltda" --contract tf-fiscal', 'Its secret is shown once'],
    [
      'applications create --id sp-01 --name "São Paulo 1" --contract cortecloud --attributes \'{"companyId":123,"companyInternalCode":"CENTRAL-01"}\'',
      'With the attributes of its contract',
    ],
  ],
  async run({ client, output, interrupted }, args) {
    const secretFile = args['secret-file'];
    const created = await client.post('/v1/applications', {
      body: {
        id: args.id,
        name: args.name,
        // What the API does not know it refuses, with the contracts that there are.
        contract: args.contract as never,
        environment: args.environment,
        attributes: jsonObject('attributes', args.attributes),
        settings: jsonObject('settings', args.settings),
        secret: secretFile === undefined ? undefined : secretIn(secretFile),
      },
      signal: interrupted,
    });
    output.one(created, [...linesOf(created), ['secret', created.issuedCredentials?.secret ?? null]]);
    if (created.issuedCredentials) output.remark('The secret is shown now and never again.');
  },
});

const change = command({
  name: 'change',
  about: 'Change an application; what is not given stays',
  places: { application: APPLICATION },
  options: {
    name: textOption('Name for people'),
    environment: textOption('Label such as production or staging'),
    settings: textOption('JSON object of the settings to change; null is the default of the contract'),
  },
  examples: [
    [
      `applications change acme --settings '{"concurrencyPerWorker":20}'`,
      'More attempts at once to each of its endpoints, from the next one on',
    ],
    [`applications change acme --settings '{"timeout":null}'`, 'As the contract has it'],
  ],
  async run({ client, output, interrupted }, { application, name, environment, settings }) {
    const body = { name, environment, settings: jsonObject('settings', settings) };
    if (Object.values(body).every((value) => value === undefined)) {
      throw new WrongUsage('Say what: --name, --environment or --settings.');
    }
    const changed = await client.patch('/v1/applications/{id}', {
      path: { id: application },
      body,
      signal: interrupted,
    });
    output.one(changed, linesOf(changed));
  },
});

export const APPLICATIONS: CommandGroup = {
  name: 'applications',
  about: 'Tenants whose webhooks are sent',
  commands: [list, show, create, change],
};

function linesOf(application: Application): Line[] {
  const { id, name, contract, environment, attributes, settings, createdAt, updatedAt } = application;
  const next = application.secret?.nextActivatesAt ?? null;
  return [
    ['application', id],
    ['name', name],
    ['contract', contract],
    ['environment', environment],
    ...Object.entries(attributes).map(([key, value]): Line => [key, String(value)]),
    ...Object.entries(settings).map(([key, value]): Line => [key, [value].flat().join(', ')]),
    ['next secret', next === null ? null : shownTime(next)],
    ['created', shownTime(createdAt)],
    ['updated', shownTime(updatedAt)],
  ];
}

function jsonObject(option: string, text: string | undefined): Record<string, never> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as never;
  } catch (error) {
    throw new WrongUsage(`--${option} is no JSON: ${(error as Error).message}.`);
  }
  throw new WrongUsage(`--${option} ${text} is no JSON object. Give one such as {"timeout":"5s"}.`);
}

function secretIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new WrongUsage(`--secret-file cannot be read: ${(error as Error).message}.`);
  }
}
