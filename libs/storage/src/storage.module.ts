import { type DynamicModule, Module } from '@nestjs/common';
import { Database } from './database.js';

/** Hands the process's one {@link Database} to modules that inject it. Register it once and pass it on. */
@Module({})
export class StorageModule {
  static register(database: Database): DynamicModule {
    return {
      module: StorageModule,
      providers: [{ provide: Database, useValue: database }],
      exports: [Database],
    };
  }
}
