import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { type DynamicModule, Module } from '@nestjs/common';
import { EventsController } from './publishing/events.controller.js';

/** Takes events in over HTTP. */
@Module({})
export class IngestModule {
  static register(acceptor: EventAcceptor): DynamicModule {
    return {
      module: IngestModule,
      controllers: [EventsController],
      providers: [{ provide: EventAcceptor, useValue: acceptor }],
    };
  }
}
