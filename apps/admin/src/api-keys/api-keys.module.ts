import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.js';

@Module({ controllers: [ApiKeysController] })
export class ApiKeysModule {
  /** @param edge the process's HttpEdgeModule, which keeps and checks the keys */
  static register(edge: DynamicModule): DynamicModule {
    return { module: ApiKeysModule, imports: [edge] };
  }
}
