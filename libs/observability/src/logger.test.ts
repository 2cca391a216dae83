import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createLogger, type LoggerOptions } from './logger.js';
import { NestLogger } from './nest-logger.js';

function logged(
  options: Partial<LoggerOptions>,
  write: (logger: ReturnType<typeof createLogger>) => void,
): string {
  const destination = new PassThrough();
  write(createLogger({ role: 'worker', level: 'info', format: 'json', ...options }, destination));
  return String(destination.read() ?? '');
}

describe('createLogger', () => {
  it('writes one JSON object a line, with role, level and an ISO time', () => {
    const line = logged({}, (logger) => logger.info({ deliveryId: '7' }, 'delivery.attempted'));
    expect(line.endsWith('}\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      role: 'worker',
      deliveryId: '7',
      msg: 'delivery.attempted',
    });
  });

  it('leaves out what is below its level', () => {
    expect(logged({ level: 'warn' }, (logger) => logger.info('quiet'))).toBe('');
  });

  it('writes for people when it is told to', () => {
    const line = logged({ format: 'pretty' }, (logger) => logger.info('Listening on http://127.0.0.1:8080'));
    expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: Listening on http:\/\/127\.0\.0\.1:8080\n$/);
  });
});

describe('NestLogger', () => {
  it("keeps Nest's tale of its own start out of info, and everything else with its context", () => {
    const lines = logged({}, (logger) => {
      const nest = new NestLogger(logger);
      nest.log('Mapped {/v1/events, POST} route', 'RouterExplorer');
      nest.log('Said by a service', 'SomeService');
    });
    expect(JSON.parse(lines)).toMatchObject({ msg: 'Said by a service', context: 'SomeService' });
  });

  it('keeps the stack of an error', () => {
    const fromNest = logged({}, (logger) =>
      new NestLogger(logger).error('broken', 'Error: broken\n at x', 'Service'),
    );
    expect(JSON.parse(fromNest)).toMatchObject({
      level: 'error',
      stack: 'Error: broken\n at x',
      context: 'Service',
    });
    const thrown = logged({}, (logger) => new NestLogger(logger).error(new Error('thrown')));
    expect(JSON.parse(thrown)).toMatchObject({
      msg: 'thrown',
      err: { stack: expect.stringContaining('thrown') },
    });
  });
});
