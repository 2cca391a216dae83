#!/usr/bin/env node
/**
 * A receiver for trying things out: prints each delivery, verifies it, and answers as it is told.
 *
 *   npm run receive -- --secret APP_SECRET [--token TOKEN] [--port 9000] [--answer 200]
 *   curl -X PUT http://127.0.0.1:9000/answer -d 500        from now on: a status, hang, or redirect
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_SHOWN = 400;
const USAGE = `Usage: npm run receive -- [--port 9000] [--secret APP_SECRET] [--token TOKEN] [--answer ANSWER]

  --secret  the application's secret: signatures are verified with it
  --token   the token given at registration: token and x-token are compared with it
  --answer  a status such as 200 or 500, "hang" (no answer) or "redirect" (302)

While it runs: curl -X PUT http://127.0.0.1:9000/answer -d 500`;

const options = readOptions();
let answer = options.answer;

const server = createServer((request, response) => {
  const chunks = [];
  let bytes = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) request.destroy();
    else chunks.push(chunk);
  });
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (request.method === 'PUT' && request.url === '/answer') changeAnswer(body.toString().trim(), response);
    else receive(request, body, response);
  });
});

server.on('error', (error) => {
  console.error(
    error.code === 'EADDRINUSE'
      ? `Port ${options.port} is taken. Choose another: npm run receive -- --port 9001`
      : error.message,
  );
  process.exit(1);
});
server.listen(options.port, '127.0.0.1', () => {
  console.log(`Receiving on http://127.0.0.1:${options.port}/hook, answering ${answer}. Ctrl-C ends it.`);
  if (!options.secret) console.log('No --secret given: signatures are not verified.');
});

function readOptions() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        port: { type: 'string', default: '9000' },
        secret: { type: 'string' },
        token: { type: 'string' },
        answer: { type: 'string', default: '200' },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    fail(error.message);
  }
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65535) fail(`--port ${values.port} is not a port.`);
  if (!isAnswer(values.answer))
    fail(`--answer ${values.answer} is none of a status from 200 to 599, hang, redirect.`);
  return { ...values, port };
}

function fail(message) {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}

function isAnswer(text) {
  return text === 'hang' || text === 'redirect' || /^[2-5]\d\d$/.test(text);
}

function changeAnswer(text, response) {
  if (!isAnswer(text)) {
    response.writeHead(422).end(`"${text}" is none of a status from 200 to 599, hang, redirect\n`);
    return;
  }
  answer = text;
  console.log(`From now on: ${answer}`);
  response.end(`answering ${answer}\n`);
}

function receive(request, body, response) {
  const faults = verify(request.headers, body);
  const verdict = faults.length === 0 ? 'verified' : `NOT VERIFIED: ${faults.join('; ')}`;
  console.log(
    [
      new Date().toISOString().slice(11, 19),
      request.headers['x-tffiscal-event'] ?? request.method,
      `event ${request.headers['x-tffiscal-event-id'] ?? '?'}`,
      `delivery ${request.headers['x-tffiscal-delivery-id'] ?? '?'}`,
      verdict,
      `answered ${answer}`,
    ].join('  '),
  );
  const text = body.toString();
  console.log(
    `         ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${body.length} bytes)` : text}`,
  );
  if (answer === 'hang') return;
  if (answer === 'redirect') response.writeHead(302, { location: '/elsewhere' }).end();
  else response.writeHead(Number(answer)).end(`answered ${answer}\n`);
}

/** As a receiver of the contract does it; what there is nothing to compare with is not checked. */
function verify(headers, body) {
  const faults = [];
  const timestamp = headers['x-tffiscal-timestamp'] ?? '';
  if (options.secret) {
    const expected = createHmac('sha256', options.secret).update(`${timestamp}.`).update(body).digest('hex');
    if (!equal(expected, headers['x-tffiscal-signature'] ?? '')) faults.push('signature');
    if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) faults.push('timestamp');
  }
  if (options.token) {
    for (const name of ['token', 'x-token'])
      if (!equal(options.token, headers[name] ?? '')) faults.push(name);
  }
  return faults;
}

function equal(expected, actual) {
  const [left, right] = [Buffer.from(expected), Buffer.from(actual)];
  return left.length === right.length && timingSafeEqual(left, right);
}
