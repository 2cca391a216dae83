import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { RegisteredEndpoint } from '#registration/endpoint-registry.js';
import { ApplicationRepository } from '#storage/application.repository.js';
import { Database } from '#storage/database.js';
import type { EndpointEntity } from '#storage/entities/endpoint.entity.js';
import { readEndpointStats } from '#storage/sql/endpoint-stats.js';
import { Injectable } from '@nestjs/common';
import { type EndpointAnswer, endpointAnswer } from './endpoint-answer.js';

export type RegisteredEndpointAnswer = EndpointAnswer & {
  warnings: readonly string[];
  issuedCredentials?: Readonly<Record<string, string>>;
};

/** Completes endpoints with what lies in other tables: the contract's credentials and the figures. */
@Injectable()
export class EndpointReader {
  constructor(
    private readonly database: Database,
    private readonly applications: ApplicationRepository,
  ) {}

  async answer(endpoint: EndpointEntity): Promise<EndpointAnswer> {
    const [answer] = await this.answers(endpoint.applicationId, [endpoint]);
    return answer!;
  }

  async registered({
    endpoint,
    warnings,
    issuedCredentials,
  }: RegisteredEndpoint): Promise<RegisteredEndpointAnswer> {
    return {
      ...(await this.answer(endpoint)),
      warnings,
      ...(Object.keys(issuedCredentials).length > 0 && { issuedCredentials }),
    };
  }

  /** @param endpoints of one application, which may be deleted */
  async answers(applicationId: string, endpoints: readonly EndpointEntity[]): Promise<EndpointAnswer[]> {
    if (endpoints.length === 0) return [];
    const ids: TimeOrderedId[] = endpoints.map((endpoint) => endpoint.id);
    const [application, stats] = await Promise.all([
      this.applications.findEvenDeleted(applicationId),
      readEndpointStats(this.database, ids),
    ]);
    return endpoints.map((endpoint) =>
      endpointAnswer(endpoint, application!.contract, stats.get(endpoint.id)!),
    );
  }
}
