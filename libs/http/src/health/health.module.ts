import { type DynamicModule, type FactoryProvider, Module, type ModuleMetadata } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { type ReadinessCheck, ReadinessProbe } from './readiness.js';

/**
 * `/healthz` and `/readyz`. On a port of its own (OPS_PORT) it is the whole of a second application, given the
 * first one's probe.
 */
@Module({ controllers: [HealthController], exports: [ReadinessProbe] })
export class HealthModule {
  /**
   * @param options.role what the answer names the process
   * @param options.useFactory the checks, from what `inject` names
   */
  static register(options: {
    role: string;
    imports?: NonNullable<ModuleMetadata['imports']>;
    inject?: NonNullable<FactoryProvider['inject']>;
    useFactory: (...dependencies: never[]) => readonly ReadinessCheck[];
  }): DynamicModule {
    return {
      module: HealthModule,
      imports: options.imports ?? [],
      providers: [
        {
          provide: ReadinessProbe,
          inject: options.inject ?? [],
          useFactory: (...dependencies: never[]) =>
            new ReadinessProbe(options.role, options.useFactory(...dependencies)),
        },
      ],
    };
  }

  static withProbe(probe: ReadinessProbe): DynamicModule {
    return { module: HealthModule, providers: [{ provide: ReadinessProbe, useValue: probe }] };
  }
}
