import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { ReplayStrip } from '../replays/replay-strip.js';
import type { Operation } from '../session/abilities.js';
import { useSession } from '../session/session.js';
import { placeOf } from './address.js';
import { Appearance } from './appearance.js';
import { CallLog } from './call-text.js';
import { ConnectionBanner } from './connection-banner.js';

export const ROOMS = [
  { path: '/', name: 'overview', needs: 'readStats' },
  { path: '/dead-letters', name: 'deadLetters', needs: 'listDeliveries' },
  { path: '/deliveries', name: 'deliveries', needs: 'listDeliveries' },
  { path: '/endpoints', name: 'endpoints', needs: 'getEndpoint' },
  { path: '/events', name: 'events', needs: 'listEvents' },
  { path: '/rejections', name: 'rejections', needs: 'listRejections' },
  { path: '/applications', name: 'applications', needs: 'listApplications' },
  { path: '/attempts', name: 'attempts', needs: 'followAttempts' },
  { path: '/replays', name: 'replays', needs: 'listReplays' },
  { path: '/audit', name: 'audit', needs: 'listAudit' },
  { path: '/keys', name: 'keys', needs: 'listApiKeys' },
] as const satisfies readonly { path: string; name: string; needs: Operation }[];

/** What stands around every screen. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { owner, may, leave } = useSession();
  const [location] = useLocation();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t('layout.skip')}
      </a>
      <header className="bar">
        <Link href="/" className="brand">
          entrega
        </Link>
        <SearchBox />
        <Appearance />
        <span className="owner">
          {owner.name} · {owner.role}
        </span>
        <Button variant="default" onClick={leave}>
          {t('session.leave')}
        </Button>
      </header>
      <nav aria-label={t('layout.rooms')} className="rooms">
        {ROOMS.filter(({ needs }) => may(needs)).map(({ path, name }) => (
          <Link key={path} href={path} aria-current={location === path ? 'page' : undefined}>
            {t(`rooms.${name}`)}
          </Link>
        ))}
      </nav>
      <ConnectionBanner />
      <ReplayStrip />
      {children}
      <CallLog />
    </div>
  );
}

/** Takes any id that somebody may quote. A slash leads here from everywhere. */
function SearchBox() {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const [sought, setSought] = useState('');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { tagName } = event.target as HTMLElement;
      if (event.key !== '/' || ['INPUT', 'TEXTAREA', 'SELECT'].includes(tagName)) return;
      event.preventDefault();
      box.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const search = (event: FormEvent) => {
    event.preventDefault();
    if (sought.trim() !== '') go(placeOf('/search', { q: sought.trim() }));
  };
  return (
    <form role="search" className="search" onSubmit={search}>
      <TextInput
        ref={box}
        size="xs"
        type="search"
        aria-label={t('layout.search')}
        placeholder={t('layout.searchHint')}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
    </form>
  );
}
