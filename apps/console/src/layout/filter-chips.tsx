import { Button, CloseButton, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddress } from './address.js';

/** One thing that a list may be narrowed to: a choice of few, or a text. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly choices?: readonly string[];
  /** A choice in words; without it, as the API writes it. */
  readonly say?: (choice: never) => string;
  /** Where exactly one of the choices holds: that of an address without any. */
  readonly otherwise?: string;
}

/** The filters of a list: those that are set as chips, the choices as switches, texts to be entered. */
export function FilterChips({ filters }: { filters: readonly Filter[] }) {
  const { t } = useTranslation();
  const address = useAddress();
  const texts = filters.filter(({ choices }) => choices === undefined);
  const set = texts.filter(({ name }) => address.get(name) !== undefined);
  return (
    <div className="filters" role="group" aria-label={t('layout.filters')}>
      {filters.map(({ name, label, choices, say, otherwise }) => {
        if (!choices) return null;
        const chosen = address.list(name) ?? (otherwise === undefined ? [] : [otherwise]);
        return choices.map((choice) => {
          const on = chosen.includes(choice);
          const others = otherwise !== undefined ? [] : chosen.filter((one) => one !== choice);
          const next = on ? others : [...others, choice];
          const said = say ? say(choice as never) : choice;
          return (
            <button
              type="button"
              key={`${name} ${choice}`}
              className="chip"
              aria-pressed={on}
              aria-label={`${label}: ${said}`}
              onClick={() => address.set({ [name]: next.join(',') })}
            >
              {said}
            </button>
          );
        });
      })}
      {set.map(({ name, label }) => (
        <span className="chip chip-set" key={name}>
          {label}: {address.get(name)}
          <CloseButton
            size="xs"
            aria-label={t('layout.removeFilter', { name: label })}
            onClick={() => address.set({ [name]: undefined })}
          />
        </span>
      ))}
      {texts.length > 0 && <FilterEntry filters={texts} />}
    </div>
  );
}

function FilterEntry({ filters }: { filters: readonly Filter[] }) {
  const { t } = useTranslation();
  const address = useAddress();
  const [name, setName] = useState(filters[0]!.name);
  const [value, setValue] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    address.set({ [name]: value.trim() });
    setValue('');
  };
  return (
    <form className="filter-entry" onSubmit={add}>
      <select
        aria-label={t('layout.filterBy')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      >
        {filters.map((filter) => (
          <option key={filter.name} value={filter.name}>
            {filter.label}
          </option>
        ))}
      </select>
      <TextInput
        size="xs"
        aria-label={t('layout.filterValue')}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t('layout.filter')}
      </Button>
    </form>
  );
}
