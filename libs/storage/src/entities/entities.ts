import { ApiKeyEntity } from './api-key.entity.js';
import { ApplicationEntity } from './application.entity.js';
import { EndpointEntity } from './endpoint.entity.js';

/** What TypeORM maps: the tables that administration reads and writes row by row. */
export const ENTITIES = [ApiKeyEntity, ApplicationEntity, EndpointEntity];
