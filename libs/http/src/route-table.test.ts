import { describe, expect, it } from '@jest/globals';
import { RouteTable } from './route-table.js';

describe('RouteTable', () => {
  const routes = new RouteTable();
  routes.add(['GET', 'HEAD'], '/v1/keys/:id');
  routes.add('DELETE', '/v1/keys/:id');
  routes.add('GET', '/v1/keys/current');
  routes.add('POST', '/v1/keys/:id/rotate');

  it('gathers the methods of every pattern that a path fits', () => {
    expect(routes.methodsAt('/v1/keys/current')).toEqual(['DELETE', 'GET', 'HEAD']);
    expect(routes.methodsAt('/v1/keys/7/rotate')).toEqual(['POST']);
  });

  it('finds nothing at a longer, shorter or empty segment', () => {
    for (const path of ['/v1/keys', '/v1/keys/', '/v1/keys/7/', '/v1/keys/7/rotate/x', '/V1/keys/7']) {
      expect([path, routes.methodsAt(path)]).toEqual([path, []]);
    }
  });
});
