import { AttemptFeed } from '#delivery/follow/attempt-feed.js';
import { EventBodyEraser } from '#delivery/erasure/event-body-eraser.js';
import { DeliveryRepairs } from '#delivery/repair/delivery-repairs.js';
import { RecentActivity } from '#delivery/watch/recent-activity.js';
import type { Clock } from '#domain/clock.js';
import { validated } from '#http/validation.js';
import type { AdminMetrics } from '#observability/metrics/role-metrics.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { ApplicationRegistry } from '#registration/application-registry.js';
import { EndpointRegistry } from '#registration/endpoint-registry.js';
import { EndpointSwitches } from '#registration/endpoint-switches.js';
import type { ValueCheck } from '#registration/faults.js';
import { EndpointVerification } from '#registration/verification.js';
import { ApplicationRepository } from '#storage/application.repository.js';
import { AttemptRepository } from '#storage/attempt.repository.js';
import { AuditRepository } from '#storage/audit.repository.js';
import { Database } from '#storage/database.js';
import { DeliveryRepository } from '#storage/delivery.repository.js';
import { EndpointRepository } from '#storage/endpoint.repository.js';
import { EventRepository } from '#storage/event.repository.js';
import { RejectionRepository } from '#storage/rejection.repository.js';
import { SecretBox } from '#storage/secret-box.js';
import { StatsRepository } from '#storage/stats.repository.js';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ApplicationsController } from './applications/applications.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { ContractsController } from './contracts/contracts.controller.js';
import { ApplicationEndpointsController } from './endpoints/application-endpoints.controller.js';
import { EndpointReader } from './endpoints/endpoint-reader.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { WebhookController } from './endpoints/webhook.controller.js';
import { BUILT_CONSOLE, ConsoleModule } from './console/console.module.js';
import { ErasureController } from './erasure/erasure.controller.js';
import { RepairController } from './repair/repair.controller.js';
import { AttemptsController } from './watching/attempts.controller.js';
import { DeadLetterGroupsController } from './watching/dead-letter-groups.controller.js';
import { DeliveriesController } from './watching/deliveries.controller.js';
import { PublishedEventsController } from './watching/published-events.controller.js';
import { RejectionsController } from './watching/rejections.controller.js';
import { EndpointRanking } from './watching/endpoint-ranking.js';
import { RetentionDays } from './watching/retention-days.js';
import { StatsController } from './watching/stats.controller.js';

export interface AdminOptions {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly outbound: OutboundClient;
  readonly clock: Clock;
  readonly metrics: Pick<AdminMetrics, 'deliveries' | 'endpoints'>;
  readonly repairs: DeliveryRepairs;
  /** The process's HttpEdgeModule, which keeps and checks the API keys. */
  readonly edge: DynamicModule;
  readonly retentionDays: number;
  readonly maxEndpointsPerApplication: number;
  /** Of the test delivery: DNS, TCP and TLS together. */
  readonly connectTimeoutMs: number;
}

const CONTROLLERS = [
  ApplicationsController,
  WebhookController,
  ApplicationEndpointsController,
  EndpointsController,
  ContractsController,
  PublishedEventsController,
  DeadLetterGroupsController,
  DeliveriesController,
  AttemptsController,
  RepairController,
  RejectionsController,
  StatsController,
  ErasureController,
  AuditController,
];

const REPOSITORIES = [
  ApplicationRepository,
  EventRepository,
  DeliveryRepository,
  AttemptRepository,
  RejectionRepository,
  StatsRepository,
  AuditRepository,
];

const check: ValueCheck = (schema, value, pointer) => validated(schema, value, { pointer });

/** What managers and operators do over HTTP: register, watch, switch, verify. */
@Module({})
export class AdminModule {
  static register(options: AdminOptions): DynamicModule {
    const { database, secretBox, outbound, metrics } = options;
    return {
      module: AdminModule,
      imports: [ApiKeysModule.register(options.edge), ConsoleModule.from(BUILT_CONSOLE)],
      controllers: CONTROLLERS,
      providers: [
        { provide: Database, useValue: database },
        { provide: DeliveryRepairs, useValue: options.repairs },
        ...REPOSITORIES,
        {
          provide: EndpointRepository,
          useFactory: () =>
            new EndpointRepository(database, ({ contract, to, cause }) =>
              metrics.endpoints.endpointChanged(contract, to, cause),
            ),
        },
        EndpointReader,
        EndpointRanking,
        { provide: RetentionDays, useValue: new RetentionDays(options.retentionDays) },
        { provide: RecentActivity, useValue: new RecentActivity(database) },
        { provide: AttemptFeed, useValue: new AttemptFeed(database) },
        {
          provide: ApplicationRegistry,
          inject: [ApplicationRepository],
          useFactory: (applications: ApplicationRepository) =>
            new ApplicationRegistry({
              database,
              applications,
              metrics,
              secretBox,
              check,
              retentionDays: options.retentionDays,
            }),
        },
        {
          provide: EventBodyEraser,
          inject: [EventRepository],
          useFactory: (events: EventRepository) => new EventBodyEraser(database, events, metrics.deliveries),
        },
        {
          provide: EndpointSwitches,
          inject: [EndpointRepository],
          useFactory: (endpoints: EndpointRepository) =>
            new EndpointSwitches(database, endpoints, metrics.deliveries),
        },
        {
          provide: EndpointRegistry,
          inject: [ApplicationRepository, EndpointRepository],
          useFactory: (applications: ApplicationRepository, endpoints: EndpointRepository) =>
            new EndpointRegistry({
              applications,
              endpoints,
              secretBox,
              outbound,
              verification: new EndpointVerification(options),
              check,
              maxEndpointsPerApplication: options.maxEndpointsPerApplication,
            }),
        },
      ],
    };
  }
}
