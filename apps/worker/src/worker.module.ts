import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { PartitionMaintenance, type PartitionMaintenanceOptions } from './partition-maintenance.js';

/** What a worker process does beside delivering, which `DeliveryWorker` does: keep the partitions and trim what is listed for a while. */
@Module({})
export class WorkerModule {
  static register(options: PartitionMaintenanceOptions): DynamicModule {
    return {
      module: WorkerModule,
      imports: [ScheduleModule.forRoot()],
      providers: [{ provide: PartitionMaintenance, useValue: new PartitionMaintenance(options) }],
    };
  }
}
