import { command, type CommandGroup } from '../command.js';
import { pageLimit, showList } from '../listing.js';
import { choicesOption, LIMIT, listOption, PERIOD } from '../options.js';
import { shownTime } from '../shown-time.js';

const list = command({
  name: 'list',
  about: 'List publishes that were refused, the newest first',
  options: {
    application: listOption('Of this application'),
    type: listOption('Of this event type'),
    event: listOption('With this id of the producer'),
    code: listOption('Refused with this code'),
    via: choicesOption('By this way', ['http', 'kafka']),
    ...PERIOD,
    limit: LIMIT,
  },
  examples: [['rejections list --application acme --since 1h', 'What a producer got wrong']],
  async run(session, { application, type, event, code, via, since, until, limit }) {
    const rejections = session.client.items('/v1/rejections', {
      // Codes are many, and the API names those that it does not know.
      query: { application, type, event, code: code as never, via, since, until, limit: pageLimit(limit) },
      signal: session.interrupted,
    });
    await showList(
      session,
      rejections,
      [
        { title: 'at', of: ({ at }) => shownTime(at) },
        { title: 'via', of: (rejection) => rejection.via, spare: true },
        { title: 'application', of: (rejection) => rejection.application ?? '-' },
        { title: 'type', of: (rejection) => rejection.type ?? '-', cut: true, spare: true },
        { title: 'event', of: (rejection) => rejection.event ?? '-', cut: true },
        { title: 'code', of: (rejection) => rejection.code },
        { title: 'detail', of: ({ detail }) => detail, cut: true },
        { title: 'origin', of: ({ origin }) => origin, cut: true, spare: true },
      ],
      { limit, none: 'There is no such rejection.' },
    );
  },
});

export const REJECTIONS: CommandGroup = {
  name: 'rejections',
  about: 'Publishes that were refused',
  commands: [list],
};
