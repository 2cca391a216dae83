import { type DynamicModule, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { ReadinessProbe } from './readiness.js';

/** `/healthz` and `/readyz`: beside everything else, or on a port of their own (OPS_PORT). */
@Module({ controllers: [HealthController], exports: [ReadinessProbe] })
export class HealthModule {
  static withProbe(probe: ReadinessProbe): DynamicModule {
    return { module: HealthModule, providers: [{ provide: ReadinessProbe, useValue: probe }] };
  }
}
