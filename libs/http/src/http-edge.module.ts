import { ApiKeyRepository } from '#storage/api-key.repository.js';
import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';

/** What checks API keys. One per process: pass the same value to every module that imports it. */
@Module({})
export class HttpEdgeModule {
  /**
   * @param options.imports the module that exports `Database`
   * @param options.adminKey the key of ADMIN_KEY, or null for none
   * @param options.rateLimitPerSecond of keys that have no limit of their own; null for none
   */
  static register(options: {
    imports: NonNullable<ModuleMetadata['imports']>;
    adminKey: string | null;
    rateLimitPerSecond: number | null;
  }): DynamicModule {
    return {
      module: HttpEdgeModule,
      imports: options.imports,
      providers: [
        ApiKeyRepository,
        {
          provide: ApiKeyAuthenticator,
          inject: [ApiKeyRepository],
          useFactory: (repository: ApiKeyRepository) =>
            new ApiKeyAuthenticator(repository, options.adminKey, options.rateLimitPerSecond),
        },
      ],
      exports: [ApiKeyRepository, ApiKeyAuthenticator],
    };
  }
}
