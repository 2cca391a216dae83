import { AdminModule } from '#apps/admin/src/admin.module.js';
import { IngestModule } from '#apps/ingest/src/ingest.module.js';
import { HealthModule } from '#http/health/health.module.js';
import { MetricsModule } from '#http/metrics/metrics.module.js';
import { OpenApiModule } from '#http/openapi/openapi.module.js';
import { controllersOf } from '#http/routes.js';
import type { Type } from '@nestjs/common';

/** Registered without what they work with: only what they declare is looked at. */
const ADMIN = AdminModule.register({ edge: { module: class {} } } as never);
const INGEST = IngestModule.register(undefined as never);
const EVERYWHERE = [
  HealthModule.withProbe(undefined as never),
  MetricsModule.withRegistry(undefined as never),
  OpenApiModule,
];

/** What each process answers on its public port. */
export const API_CONTROLLERS: Readonly<Record<'ingest' | 'admin' | 'standalone', readonly Type[]>> = {
  ingest: [INGEST, ...EVERYWHERE].flatMap(controllersOf),
  admin: [ADMIN, ...EVERYWHERE].flatMap(controllersOf),
  standalone: [INGEST, ADMIN, ...EVERYWHERE].flatMap(controllersOf),
};
