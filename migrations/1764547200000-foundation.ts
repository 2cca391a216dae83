import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates everything: applications, endpoints, keys; events, deliveries and attempts partitioned by the day in
 * their id; the outbox, replays and the per-minute rollup. There is no previous version to keep working.
 *
 * Partitions are not made here: `partition-keeper.ts` makes them ahead and drops them.
 */
export class Foundation1764547200000 implements MigrationInterface {
  readonly name = 'Foundation1764547200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}

const UP = `
CREATE SEQUENCE id_sequence AS integer MINVALUE 0 MAXVALUE 4095 CYCLE;

-- Milliseconds since 2025-01-01 UTC above 12 bits of sequence: ordered by time, below 2^53, unique as long as
-- fewer than 4096 ids are made per millisecond.
CREATE FUNCTION next_id() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT ((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1735689600000) * 4096 + nextval('id_sequence')
$$;

-- Times that travel through JavaScript have whole milliseconds; a lease token must come back exactly as it is.
CREATE FUNCTION now_ms() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_trunc('milliseconds', now())
$$;

CREATE TABLE applications (
  id text PRIMARY KEY,
  name text NOT NULL,
  contract text NOT NULL,
  environment text NOT NULL,
  attributes jsonb NOT NULL,
  settings jsonb NOT NULL,
  secret bytea,
  next_secret bytea,
  next_secret_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  updated_at timestamptz NOT NULL DEFAULT now_ms(),
  deleted_at timestamptz
);

CREATE TABLE endpoints (
  id bigint PRIMARY KEY DEFAULT next_id(),
  application_id text NOT NULL REFERENCES applications (id),
  is_webhook boolean NOT NULL DEFAULT false,
  url text NOT NULL,
  event_types text[],
  description text,
  credentials bytea NOT NULL,
  credential_names text[] NOT NULL,
  next_credentials bytea,
  next_credentials_at timestamptz,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'disabled', 'revoked')),
  disabled_reason text,
  disabled_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  epoch integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  updated_at timestamptz NOT NULL DEFAULT now_ms(),
  revoked_at timestamptz
);
CREATE UNIQUE INDEX endpoints_webhook ON endpoints (application_id) WHERE is_webhook AND state <> 'revoked';
CREATE INDEX endpoints_application ON endpoints (application_id, id);

CREATE TABLE api_keys (
  id bigint PRIMARY KEY DEFAULT next_id(),
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('producer', 'manager', 'operator', 'admin')),
  applications text[],
  digest bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  expires_at timestamptz,
  revoked_at timestamptz
);

-- One row per public event id that an application has used. Its primary key decides what is a duplicate.
CREATE TABLE event_keys (
  application_id text NOT NULL,
  digest bytea NOT NULL,
  content_hash bytea NOT NULL,
  event_id bigint NOT NULL,
  delivery_count integer NOT NULL,
  suppressed_count integer NOT NULL,
  PRIMARY KEY (application_id, digest)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE events (
  id bigint NOT NULL,
  application_id text NOT NULL,
  public_id text NOT NULL,
  type text NOT NULL,
  occurred_at timestamptz NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX events_application ON events (application_id, id);

CREATE TABLE deliveries (
  id bigint NOT NULL DEFAULT next_id(),
  event_id bigint NOT NULL,
  application_id text NOT NULL,
  endpoint_id bigint NOT NULL,
  type text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'dead', 'closed', 'canceled', 'suppressed')),
  cycle integer NOT NULL DEFAULT 1,
  attempt_count integer NOT NULL DEFAULT 0,
  attempts_before_cycle integer NOT NULL DEFAULT 0,
  next_trigger text NOT NULL DEFAULT 'first' CHECK (next_trigger IN ('first', 'retry', 'redeliver', 'replay')),
  scheduled_at timestamptz,
  due_at timestamptz,
  url text,
  delivered_at timestamptz,
  finished_at timestamptz,
  last_http_status integer,
  last_error_code text,
  last_error_message text,
  internal_failures integer NOT NULL DEFAULT 0,
  -- Waits after a fault of ours, and is in nobody's hands although its due_at lies ahead.
  postponed boolean NOT NULL DEFAULT false,
  CHECK ((state = 'pending') = (scheduled_at IS NOT NULL)),
  CHECK ((state = 'pending') = (due_at IS NOT NULL)),
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
-- The sweep: what has fallen due since the last pass, whoever it is for; then one endpoint's share of it.
CREATE INDEX deliveries_due ON deliveries (due_at, endpoint_id) WHERE state = 'pending';
CREATE INDEX deliveries_endpoint_due ON deliveries (endpoint_id, due_at) WHERE state = 'pending';
CREATE INDEX deliveries_dead ON deliveries (finished_at, id) WHERE state IN ('dead', 'closed');
CREATE INDEX deliveries_suppressed ON deliveries (endpoint_id, id) WHERE state = 'suppressed';
CREATE INDEX deliveries_canceled ON deliveries (endpoint_id, id) WHERE state = 'canceled';
CREATE INDEX deliveries_endpoint ON deliveries (endpoint_id, id);
CREATE INDEX deliveries_event ON deliveries (event_id);

CREATE TABLE attempts (
  delivery_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT next_id(),
  number integer NOT NULL,
  cycle integer NOT NULL,
  superseded boolean NOT NULL,
  trigger text NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  url text NOT NULL,
  remote_address text,
  outcome text NOT NULL,
  http_status integer,
  error_code text,
  error_message text,
  response_summary text NOT NULL,
  retry_after_seconds integer,
  next_attempt_at timestamptz,
  PRIMARY KEY (delivery_id, id)
) PARTITION BY RANGE (delivery_id);

-- What was attempted per endpoint and minute, written with the results; counting deliveries is not an option.
CREATE TABLE endpoint_minutes (
  endpoint_id bigint NOT NULL,
  minute timestamptz NOT NULL,
  succeeded integer NOT NULL,
  failed integer NOT NULL,
  duration_ms_sum bigint NOT NULL,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  PRIMARY KEY (endpoint_id, minute)
) PARTITION BY RANGE (minute);

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  key text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now_ms()
);

CREATE TABLE replays (
  id bigint PRIMARY KEY DEFAULT next_id(),
  kind text NOT NULL CHECK (kind IN ('dead-letters', 'endpoint')),
  filter jsonb NOT NULL,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'canceled', 'failed')),
  fixed_at timestamptz NOT NULL,
  cursor_at timestamptz,
  cursor_id bigint NOT NULL DEFAULT 0,
  rate_per_second integer,
  next_page_at timestamptz NOT NULL DEFAULT now_ms(),
  failures integer NOT NULL DEFAULT 0,
  matched integer NOT NULL,
  queued integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  failure text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  finished_at timestamptz
);
CREATE INDEX replays_running ON replays (id) WHERE state = 'running';
`;

const DOWN = `
DROP TABLE replays, outbox, endpoint_minutes, attempts, deliveries, events, event_keys, api_keys, endpoints, applications;
DROP FUNCTION now_ms();
DROP FUNCTION next_id();
DROP SEQUENCE id_sequence;
`;
