import type { EndpointQueue } from './endpoint-queue.js';

/** The endpoints that may start an attempt, by rank; among equals the longest in line comes first. */
export class ReadyEndpoints {
  private readonly byRank: Set<EndpointQueue>[] = [];
  private readonly ranks = new Map<EndpointQueue, number>();

  put(endpoint: EndpointQueue): void {
    const { rank } = endpoint;
    if (this.ranks.get(endpoint) === rank) return;
    this.delete(endpoint);
    while (this.byRank.length <= rank) this.byRank.push(new Set());
    this.byRank[rank]!.add(endpoint);
    this.ranks.set(endpoint, rank);
  }

  delete(endpoint: EndpointQueue): void {
    const rank = this.ranks.get(endpoint);
    if (rank === undefined) return;
    this.byRank[rank]!.delete(endpoint);
    this.ranks.delete(endpoint);
  }

  first(): EndpointQueue | undefined {
    for (const endpoints of this.byRank) {
      if (endpoints.size > 0) return endpoints.values().next().value;
    }
    return undefined;
  }

  clear(): void {
    for (const endpoints of this.byRank) endpoints.clear();
    this.ranks.clear();
  }
}
