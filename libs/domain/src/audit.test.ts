import { describe, expect, it } from '@jest/globals';
import { auditedChanges, auditedMembers, auditedUrl } from './audit.js';

describe('what the audit keeps of a change', () => {
  it('is every field that differs, with both values', () => {
    const before = { name: 'a', description: null, eventTypes: ['x'], environment: 'production' };
    const after = { name: 'b', description: 'new', eventTypes: ['x'], environment: null };
    expect(auditedChanges(before, after)).toEqual({
      name: { from: 'a', to: 'b' },
      description: { to: 'new' },
      environment: { from: 'production' },
    });
    expect(auditedChanges(null, { name: 'a', description: null })).toEqual({ name: { to: 'a' } });
  });

  it('names a member by its object', () => {
    const settings = (members: object) => auditedMembers('settings', { ...members });
    expect(auditedChanges(settings({ timeout: '5s' }), settings({ retryWaits: ['1s', '2s'] }))).toEqual({
      'settings.timeout': { from: '5s' },
      'settings.retryWaits': { to: ['1s', '2s'] },
    });
  });

  it.each([
    ['https://receiver.example/hooks', 'https://receiver.example/hooks'],
    ['https://maria:hunter2@receiver.example/hooks', 'https://receiver.example/hooks'],
    ['https://receiver.example/hooks?token=hunter2&v=2', 'https://receiver.example/hooks?token=***&v=***'],
  ])('of the URL %s is %s', (url, shown) => {
    expect(auditedUrl(url)).toBe(shown);
  });
});
