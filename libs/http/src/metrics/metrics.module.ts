import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { MetricsController } from './metrics.controller.js';

/** `/metrics`: beside everything else, or with health on a port of their own (OPS_PORT). */
@Module({ controllers: [MetricsController] })
export class MetricsModule {
  static withRegistry(registry: Registry): DynamicModule {
    return { module: MetricsModule, providers: [{ provide: Registry, useValue: registry }] };
  }
}
