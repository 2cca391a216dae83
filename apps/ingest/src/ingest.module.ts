import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { RefusalListener } from '#http/refusal-listener.js';
import { type DynamicModule, Module } from '@nestjs/common';
import { EventsController } from './publishing/events.controller.js';
import { PublishRejections } from './publishing/publish-rejections.js';

/** Takes events in over HTTP, and lists those that it refuses. */
@Module({})
export class IngestModule {
  static register(acceptor: EventAcceptor): DynamicModule {
    return {
      module: IngestModule,
      controllers: [EventsController],
      providers: [
        { provide: EventAcceptor, useValue: acceptor },
        PublishRejections,
        { provide: RefusalListener, useExisting: PublishRejections },
      ],
    };
  }
}
