import { CloseButton } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

/** A screen under its title. */
export function Screen({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · entrega`;
  }, [title]);
  return (
    <main id="main" className="screen" tabIndex={-1}>
      <div className="screen-head">
        <h1>{title}</h1>
        {aside}
      </div>
      {children}
    </main>
  );
}

/**
 * A list, and beside it what is open of it; on a narrow screen over it. Escape closes, and who works by keyboard is led
 * there and back.
 */
export function ListAndPane({
  list,
  pane,
  onClose,
}: {
  list: ReactNode;
  pane: ReactNode;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const whole = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  const isOpen = Boolean(pane);
  useEffect(() => {
    // Only where the focus went with what is not shown any more.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && isOpen !== wasOpen.current) {
      whole.current?.querySelector<HTMLElement>(isOpen ? '.pane' : '[role=grid]')?.focus();
    }
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <div
      ref={whole}
      className={isOpen ? 'list-and-pane with-pane' : 'list-and-pane'}
      onKeyDown={(event) => event.key === 'Escape' && isOpen && onClose()}
    >
      {list}
      {pane && (
        <section className="pane" aria-label={t('layout.opened')} tabIndex={0}>
          <CloseButton className="pane-close" aria-label={t('layout.close')} onClick={onClose} />
          {pane}
        </section>
      )}
    </div>
  );
}
