export type UnwellReceiverCommand =
  /** From now on `turning` endpoints answer, or do not. */
  | { readonly kind: 'turn'; readonly to: 'well' | 'hanging' }
  /** Ends every connection, and with it the attempts that hang on one. */
  | { readonly kind: 'drop' };

export type UnwellReceiverReport =
  | {
      readonly kind: 'ready';
      /** Of the server that every loopback address leads to. */
      readonly port: number;
      /** `127.0.0.1:port` of a name server that says nothing. */
      readonly nameServer: string;
    }
  | { readonly kind: 'turned' }
  | { readonly kind: 'dropped' };
