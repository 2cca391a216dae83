import type { Dashboard } from './dashboard.js';
import { DATABASE } from './database.js';
import { ENDPOINTS } from './endpoints.js';
import { KAFKA } from './kafka.js';
import { OVERVIEW } from './overview.js';
import { WORKERS } from './workers.js';

/** What ops/grafana/dashboards is written from. */
export const DASHBOARDS: readonly Dashboard[] = [OVERVIEW, ENDPOINTS, WORKERS, KAFKA, DATABASE];
