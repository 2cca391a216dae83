import { Module } from '@nestjs/common';
import { OpenApiController } from './openapi.controller.js';

/** `/openapi.json` and `/docs`, of everything that the application is composed of. */
@Module({ controllers: [OpenApiController] })
export class OpenApiModule {}
