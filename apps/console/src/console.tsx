import { Button, Checkbox, createTheme, MantineProvider, ModalRoot } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { Router } from 'wouter';
import { queryClient } from './api/query-client.js';
import { Screens } from './screens.js';
import { SessionGate } from './session/session.js';

/** Colours are those of layout/colours.css: what Mantine would write into the page itself, its policy forbids. */
const theme = createTheme({
  cursorType: 'pointer',
  components: {
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'xs' } }),
    // Locking the scroll writes a style tag too.
    ModalRoot: ModalRoot.extend({ defaultProps: { lockScroll: false, transitionProps: { duration: 0 } } }),
  },
});

export function Console() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>
        <Router base="/console">
          <SessionGate>
            <Screens />
          </SessionGate>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}
