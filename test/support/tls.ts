import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { isInstalled, whereInstalled } from './where-installed.js';

export const hasOpenssl = isInstalled('openssl');

/** `describe` for tests that receive over https. */
export const { describe: describeWithTls } = whereInstalled('openssl');

/** What a server shows: a certificate and its key, as PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

/** Certificates without `-days` are good for 30. */
const openssl = (...options: readonly string[]) => promisify(execFile)('openssl', options);
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * A certificate authority made for one test file. This process trusts it beside the system's own until it is
 * withdrawn, by the setting that Node keeps for that; another process trusts it through `NODE_EXTRA_CA_CERTS`.
 */
export class TestAuthority {
  private readonly systemAuthorities = getCACertificates('default');

  private issued = 0;

  private constructor(private readonly folder: string) {}

  /** Makes it and trusts it: to be awaited before the first connection, for clients read the authorities once. */
  static async trusted(): Promise<TestAuthority> {
    const authority = new TestAuthority(await mkdtemp(join(tmpdir(), 'entrega-authority-')));
    const files = ['-keyout', authority.keyFile, '-out', authority.certificateFile];
    const isAuthority = ['-addext', 'basicConstraints=critical,CA:TRUE'];
    await openssl('req', '-x509', ...NEW_KEY, ...files, '-subj', '/CN=Test authority', ...isAuthority);
    const certificate = await readFile(authority.certificateFile, 'utf8');
    setDefaultCACertificates([...authority.systemAuthorities, certificate]);
    return authority;
  }

  /** The authority's certificate, for `NODE_EXTRA_CA_CERTS` of a process that a test starts. */
  get certificateFile(): string {
    return this.file('ca.pem');
  }

  /** A certificate for these names, by default `DNS:localhost` and `IP:127.0.0.1`. */
  identity(...names: readonly string[]): Promise<TlsIdentity> {
    return this.issue(names, ['-CA', this.certificateFile, '-CAkey', this.keyFile]);
  }

  /** One that was good until yesterday. */
  expiredIdentity(): Promise<TlsIdentity> {
    return this.issue([], ['-CA', this.certificateFile, '-CAkey', this.keyFile, '-days', '-1']);
  }

  /** One that nobody vouches for but itself. */
  selfSignedIdentity(): Promise<TlsIdentity> {
    return this.issue([], (key) => ['-signkey', key]);
  }

  private async issue(
    names: readonly string[],
    signer: readonly string[] | ((key: string) => readonly string[]),
  ): Promise<TlsIdentity> {
    const name = `receiver-${++this.issued}`;
    const [key, request, extensions, certificate] = ['key', 'csr', 'ext', 'pem'].map((type) =>
      this.file(`${name}.${type}`),
    ) as [string, string, string, string];
    const shown = names.length > 0 ? names : ['DNS:localhost', 'IP:127.0.0.1'];
    await writeFile(extensions, `basicConstraints=CA:FALSE\nsubjectAltName=${shown.join(',')}\n`);
    await openssl('req', '-new', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
    const signed = [
      ...(typeof signer === 'function' ? signer(key) : signer),
      '-set_serial',
      String(this.issued),
    ];
    await openssl('x509', '-req', '-in', request, '-extfile', extensions, ...signed, '-out', certificate);
    return { cert: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') };
  }

  /** Nobody trusts it any more. */
  async withdraw(): Promise<void> {
    setDefaultCACertificates(this.systemAuthorities);
    await rm(this.folder, { recursive: true });
  }

  private get keyFile(): string {
    return this.file('ca.key');
  }

  private file(name: string): string {
    return join(this.folder, name);
  }
}
