import { Gauge, type Registry } from 'prom-client';
import { MINUTE_MS, SECOND_MS } from '#domain/durations.js';
import {
  BACKLOG_COUNTED,
  type BacklogFigures,
  type EndpointFigures,
  type FleetFigures,
  PARTITIONED_TABLES,
  ROWS_COUNTED,
  STANDING_STATES,
  UNRESOLVED_COUNTED_PER_DAY,
  UNRESOLVED_STATES,
} from '#domain/fleet-figures.js';
import type { LabelledContract } from './labelled-contract.js';

/** A reading that is older says nothing of now. */
const TOO_OLD_AFTER_MS = 2 * MINUTE_MS;

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/**
 * What the database holds for all processes together. Every process that reads it exports the same figures: take one
 * of them, not their sum. A reading that failed, or is too old, exports none: no figure is better than a wrong one.
 */
export class FleetMetrics {
  private readonly lastSuccess: Gauge;
  private reading: { readonly figures: FleetFigures; readonly atMs: number } | null = null;

  /** @param monotonicMs by which a reading ages */
  constructor(
    private readonly registry: Registry,
    contracts: readonly LabelledContract[],
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {
    this.lastSuccess = new Gauge({
      name: 'entrega_stats_last_success_timestamp_seconds',
      help: 'When the figures of all processes together were last read from the database; 0 before the first time.',
      registers: [registry],
    });
    const names = contracts.map(({ name }) => name);
    this.exportBacklog(names);
    this.exportEndpoints(names);
    this.exportUnresolved(names);
    this.exportStorage();
  }

  /** Exports what a reading found, until the next one or until it is too old. */
  show(figures: FleetFigures): void {
    this.reading = { figures, atMs: this.monotonicMs() };
    this.lastSuccess.setToCurrentTime();
  }

  /** The figures could not be read: none is exported until they can. */
  hide(): void {
    this.reading = null;
  }

  private exportBacklog(contracts: readonly string[]): void {
    const of = ({ backlog }: FleetFigures, contract: string) => backlog.get(contract) ?? NO_BACKLOG;
    this.export({
      name: 'entrega_backlog_deliveries',
      help:
        `Pending deliveries of endpoints that are not paused, owed by now and not being attempted (due) or owed ` +
        `later (scheduled). Each stops counting at ${BACKLOG_COUNTED}.`,
      labelNames: ['contract', 'kind'],
      samples: (figures) =>
        contracts.flatMap((contract) => {
          const { due, scheduled } = of(figures, contract);
          return [
            [{ contract, kind: 'due' }, due],
            [{ contract, kind: 'scheduled' }, scheduled],
          ];
        }),
    });
    this.export({
      name: 'entrega_oldest_due_age_seconds',
      help: 'Since when the oldest due delivery is owed; 0 when none is due.',
      labelNames: ['contract'],
      samples: (figures) =>
        contracts.map((contract) => [{ contract }, of(figures, contract).oldestDueAgeMs / SECOND_MS]),
    });
    this.export({
      name: 'entrega_endpoints_due',
      help: 'Endpoints with something due.',
      samples: ({ endpointsDue }) => [[{}, endpointsDue]],
    });
    this.export({
      name: 'entrega_endpoints_late',
      help: 'Endpoints whose oldest due delivery has waited for more than 60 s.',
      samples: ({ endpointsLate }) => [[{}, endpointsLate]],
    });
  }

  private exportEndpoints(contracts: readonly string[]): void {
    const of = ({ endpoints }: FleetFigures, contract: string) => endpoints.get(contract) ?? NO_ENDPOINTS;
    this.export({
      name: 'entrega_endpoints',
      help: 'Endpoints by state, revoked ones not counted.',
      labelNames: ['contract', 'state'],
      samples: (figures) =>
        contracts.flatMap((contract) =>
          STANDING_STATES.map((state): Sample => [{ contract, state }, of(figures, contract).byState[state]]),
        ),
    });
    this.export({
      name: 'entrega_endpoints_failing',
      help: 'Active endpoints whose last attempt failed.',
      labelNames: ['contract'],
      samples: (figures) => contracts.map((contract) => [{ contract }, of(figures, contract).failing]),
    });
  }

  private exportUnresolved(contracts: readonly string[]): void {
    this.export({
      name: 'entrega_deliveries_unresolved',
      help:
        `Deliveries that did not arrive and can still be redelivered or replayed. Of each day that they were made in ` +
        `it stops counting at ${UNRESOLVED_COUNTED_PER_DAY}; where there are very many, days before yesterday are ` +
        `counted by turns and may be minutes old.`,
      labelNames: ['contract', 'state'],
      samples: ({ unresolved }) =>
        contracts.flatMap((contract) =>
          UNRESOLVED_STATES.map((state): Sample => [
            { contract, state },
            unresolved.get(contract)?.[state] ?? 0,
          ]),
        ),
    });
    this.export({
      name: 'entrega_deliveries_set_aside',
      help:
        `Deliveries parked after repeated faults of ours, until an operator redelivers them. Stops counting at ` +
        `${ROWS_COUNTED}.`,
      samples: ({ setAside }) => [[{}, setAside]],
    });
    this.export({
      name: 'entrega_replays_running',
      help: 'Replays that are not finished.',
      samples: ({ replaysRunning }) => [[{}, replaysRunning]],
    });
  }

  private exportStorage(): void {
    this.export({
      name: 'entrega_outbox_rows',
      help: `Announcements that wait for their sink. Stops counting at ${ROWS_COUNTED}.`,
      samples: ({ outbox }) => [[{}, outbox.rows]],
    });
    this.export({
      name: 'entrega_outbox_oldest_age_seconds',
      help: 'Since when the oldest announcement waits; 0 when none does.',
      samples: ({ outbox }) => [[{}, outbox.oldestAgeMs / SECOND_MS]],
    });
    const bound = (which: 'horizon' | 'oldest') => (figures: FleetFigures) =>
      PARTITIONED_TABLES.flatMap((table): Sample[] => {
        const at = figures.partitions.get(table)?.[which];
        return at ? [[{ table }, at.getTime() / SECOND_MS]] : [];
      });
    this.export({
      name: 'entrega_partition_horizon_timestamp_seconds',
      help: 'Until when there are partitions, from today on without a gap. After it nothing can be written.',
      labelNames: ['table'],
      samples: bound('horizon'),
    });
    this.export({
      name: 'entrega_partition_oldest_timestamp_seconds',
      help: 'The beginning of the oldest partition: from when on rows are kept.',
      labelNames: ['table'],
      samples: bound('oldest'),
    });
  }

  private export(definition: {
    readonly name: string;
    readonly help: string;
    readonly labelNames?: readonly string[];
    readonly samples: (figures: FleetFigures) => readonly Sample[];
  }): void {
    const { name, help, labelNames = [], samples } = definition;
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: () => {
        gauge.reset();
        // Without labels a gauge is reset to 0, which would be a figure.
        if (labelNames.length === 0) gauge.remove();
        for (const [labels, value] of this.current === null ? [] : samples(this.current))
          gauge.set(labels, value);
      },
    });
  }

  private get current(): FleetFigures | null {
    if (this.reading === null) return null;
    return this.monotonicMs() - this.reading.atMs > TOO_OLD_AFTER_MS ? null : this.reading.figures;
  }
}

const NO_BACKLOG: BacklogFigures = { due: 0, scheduled: 0, oldestDueAgeMs: 0 };
const NO_ENDPOINTS: EndpointFigures = { byState: { active: 0, paused: 0, disabled: 0 }, failing: 0 };
