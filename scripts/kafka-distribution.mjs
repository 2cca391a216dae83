/*
 * Fetches a real Kafka as a developer's machine has it: from Maven Central, into a cache of this checkout,
 * once. Needs Java 17 or newer, and Maven for the first time.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const KAFKA = 'kafka_2.13';
const VERSION = '4.3.1';
const OLDEST_JAVA = 17;
const FETCH_LIMIT_MS = 300_000;
const PROGRESS_MS = 5_000;

export const CACHE = fileURLToPath(new URL('../node_modules/.cache/entrega-kafka/', import.meta.url));

/** What is missing on this machine, and the command that would help. */
export class KafkaUnavailable extends Error {}

/**
 * The class path of Kafka's jars, fetched when they are not in the cache.
 *
 * @param {(message: string) => void} say told what takes time
 * @returns {Promise<string>}
 * @throws KafkaUnavailable
 */
export async function kafkaClassPath(say) {
  await requireJava();
  const jars = join(CACHE, `${KAFKA}-${VERSION}`);
  if (!existsSync(jars)) await fetchJars(jars, say);
  return join(jars, '*');
}

async function requireJava() {
  const cure = `Install Java ${OLDEST_JAVA} or newer (apt-get install openjdk-17-jre-headless), or set KAFKA_BROKERS to a Kafka that runs.`;
  const java = await run('java', ['-version'], 10_000);
  if (java.failure !== null) throw new KafkaUnavailable(`No Kafka runs here without Java. ${cure}`);
  const version = /version "(\d+)/.exec(java.output)?.[1];
  if (version !== undefined && Number(version) < OLDEST_JAVA)
    throw new KafkaUnavailable(`Java ${version} is too old for Kafka ${VERSION}. ${cure}`);
}

/**
 * Several processes may come here at once: each fetches aside, and the first to be done wins.
 *
 * @param {string} jars
 * @param {(message: string) => void} say
 */
async function fetchJars(jars, say) {
  await mkdir(CACHE, { recursive: true });
  const aside = await mkdtemp(join(CACHE, 'fetch-'));
  try {
    const pom = join(aside, 'pom.xml');
    await writeFile(pom, POM);
    say(`Fetching Kafka ${VERSION} with Maven (44 MB, once) …`);
    const started = performance.now();
    const progress = setInterval(
      () => say(`Fetching Kafka … ${Math.round((performance.now() - started) / 1000)} s`),
      PROGRESS_MS,
    );
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=jars'];
    const maven = await run('mvn', ['-B', '-q', '-f', pom, ...goal], FETCH_LIMIT_MS).finally(() =>
      clearInterval(progress),
    );
    if (maven.failure === 'ENOENT')
      throw new KafkaUnavailable(
        'Fetching Kafka needs Maven. Install it (apt-get install maven), or set KAFKA_BROKERS to a Kafka that runs.',
      );
    if (maven.failure !== null)
      throw new KafkaUnavailable(
        `Kafka could not be fetched (${maven.failure}). Maven says:\n${maven.output}`,
      );
    await rename(join(aside, 'jars'), jars).catch((error) => {
      if (!existsSync(jars)) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>entrega</groupId>
  <artifactId>kafka-for-development</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>${KAFKA}</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;

/**
 * Runs a command to its end, within the limit.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {number} limitMs
 * @returns {Promise<{ failure: string | null, output: string }>} `failure` is ENOENT where there is no such command
 */
export function run(command, args, limitMs) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', (error) => resolve({ failure: error.code ?? error.message, output }));
    child.once('close', (code, signal) =>
      resolve({
        failure: code === 0 ? null : signal === null ? `exit code ${code}` : `ended by ${signal}`,
        output,
      }),
    );
  });
}
