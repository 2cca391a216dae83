import { DISTURBANCES } from '../isolation/disturbances.js';
import { IsolationRounds } from '../isolation/isolation-rounds.js';
import { type DatabasePlatformOptions, startOnDatabase } from '../processes/database-platform.js';
import { DeafReceiverProcess } from '../processes/deaf-receiver-process.js';
import { LoaderProcess } from '../processes/loader-process.js';
import { UnwellReceiverProcess } from '../processes/unwell-receiver-process.js';
import { createProducerKey } from '../rounds/bench-applications.js';
import { warmUp } from '../rounds/warm-up.js';
import { onPlatform } from './on-platform.js';
import { fullPace, MAX_UNDELIVERED } from './pipeline.js';
import { playRow } from './play-row.js';
import type { Scenario } from './scenario.js';

/** Each takes half a minute. */
const MOST_ROUNDS = 3;

/** Healthy endpoints beside others that hang, are slow or dead, and what they notice of it. */
export const isolation: Scenario = {
  name: 'isolation',
  rows: DISTURBANCES.map(({ id }) => id),
  async run(context, wanted) {
    const { profile, receiver, say } = context;
    const [unwell, deaf, otherLoader] = await Promise.all([
      UnwellReceiverProcess.start(),
      DeafReceiverProcess.start(),
      LoaderProcess.start(),
    ]);
    const playOn = (disturbances: typeof DISTURBANCES, options: DatabasePlatformOptions) =>
      onPlatform(
        context,
        (build, caretaker) => startOnDatabase(build, caretaker, options),
        async (platform) => {
          const producerKey = await createProducerKey(platform);
          const stage = { ...context, platform, producerKey, otherLoader };
          const rounds = await IsolationRounds.prepare(
            stage,
            { receiver: unwell, deaf },
            Math.max(...disturbances.map(({ endpoints }) => endpoints)),
            (bodies) => {
              say(`isolation: warming up for ${profile.warmUpSeconds} s`);
              const pace = fullPace(MAX_UNDELIVERED, receiver.countPort);
              return warmUp(stage, { bodies, path: '/v1/events', pace, refusals: 0 }, profile.warmUpSeconds);
            },
          );
          const few = { ...context, profile: { ...profile, rounds: Math.min(profile.rounds, MOST_ROUNDS) } };
          for (const disturbance of disturbances) {
            const { id, title } = disturbance;
            await playRow(few, { id, kind: 'isolation', title }, () => rounds.play(disturbance));
          }
        },
      );
    try {
      const rows = DISTURBANCES.filter(({ id }) => wanted.has(id));
      for (const [descriptorLimit, disturbances] of Map.groupBy(rows, (row) => row.descriptorLimit)) {
        await playOn(disturbances, {
          env: { DNS_SERVERS: unwell.nameServer },
          ...(descriptorLimit !== undefined && { descriptorLimit }),
        });
      }
    } finally {
      await Promise.all([unwell.end(), deaf.end(), otherLoader.end()]);
    }
  },
};
