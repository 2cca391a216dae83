import { platform } from 'node:os';
import type { Binaries } from './binaries.js';

/** `durable` is production: nothing acknowledged is lost. `ephemeral` serves tests and is thrown away. */
export type Durability = 'durable' | 'ephemeral';

/** The file in the cluster that holds our settings. An operator's ALTER SYSTEM is read later and wins. */
export const SETTINGS_FILE = 'entrega.conf';

/** Also the name of the socket file (`.s.PGSQL.5432`); no network port is ever opened. */
const SOCKET_NUMBER = 5432;

export function socketPath(socketDir: string): string {
  return `${socketDir}/.s.PGSQL.${SOCKET_NUMBER}`;
}

/**
 * The settings as a file. A running server whose file differs (other settings, another build) is restarted
 * instead of adopted, so everything that a restart would change must show in this text.
 */
export function serverSettings(binaries: Binaries, socketDir: string, durability: Durability): string {
  const settings: Record<string, string | number> = {
    listen_addresses: '',
    port: SOCKET_NUMBER,
    unix_socket_directories: socketDir,
    max_connections: 100,
    // One statement over all day partitions takes hundreds of locks.
    max_locks_per_transaction: 1024,
    shared_buffers: durability === 'durable' ? '256MB' : '128MB',
    jit: 'off',
    // A statement of a process that was killed ends soon, and its row locks with it.
    client_connection_check_interval: '1s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    ...(durability === 'durable' ? DURABLE : EPHEMERAL),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`);
  return [`# Written at every start, for ${binaries.postgres} ${binaries.version}.`, ...lines, ''].join('\n');
}

const DURABLE = {
  fsync: 'on',
  synchronous_commit: 'on',
  wal_buffers: '16MB',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_completion_target: 0.9,
  // Before it recovers, PostgreSQL syncs every file it has, which are thousands; Linux can do it in one call.
  ...(platform() === 'linux' && { recovery_init_sync_method: 'syncfs' }),
  // One file per weekday, the one of last week overwritten: the log never fills the disk.
  logging_collector: 'on',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: 0,
  log_truncate_on_rotation: 'on',
};

const EPHEMERAL = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
