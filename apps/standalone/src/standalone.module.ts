import { AdminModule, type AdminOptions } from '#apps/admin/src/admin.module.js';
import { IngestModule } from '#apps/ingest/src/ingest.module.js';
import type { PartitionMaintenanceOptions } from '#apps/worker/src/partition-maintenance.js';
import { WorkerModule } from '#apps/worker/src/worker.module.js';
import type { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { HealthModule } from '#http/health/health.module.js';
import { type DynamicModule, Module } from '@nestjs/common';

export interface StandaloneOptions {
  readonly acceptor: EventAcceptor;
  readonly admin: AdminOptions;
  readonly partitions: PartitionMaintenanceOptions;
}

/** Every role in one process. */
@Module({})
export class StandaloneModule {
  static register({ acceptor, admin, partitions }: StandaloneOptions): DynamicModule {
    return {
      module: StandaloneModule,
      imports: [
        IngestModule.register(acceptor),
        AdminModule.register(admin),
        WorkerModule.register(partitions),
        HealthModule.register({ role: 'standalone', useFactory: () => databaseChecks(admin.database) }),
      ],
    };
  }
}
