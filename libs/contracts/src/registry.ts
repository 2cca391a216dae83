import type { Contract } from './contract.js';
import { cortecloud } from './cortecloud/cortecloud.js';
import { tfFiscal } from './tf-fiscal/tf-fiscal.js';

/** Every contract that an application can choose. */
export const CONTRACTS: readonly Contract[] = [tfFiscal, cortecloud];

const BY_NAME: ReadonlyMap<string, Contract> = new Map(
  CONTRACTS.map((contract) => [contract.name, contract]),
);

export const CONTRACT_NAMES: readonly string[] = CONTRACTS.map(({ name }) => name);

export function findContract(name: string): Contract | undefined {
  return BY_NAME.get(name);
}

/** For a name that is known to be stored, i.e. was checked when the application was created. */
export function contractNamed(name: string): Contract {
  const contract = BY_NAME.get(name);
  if (!contract) {
    throw new Error(`Contract "${name}" is not in the registry; known are ${CONTRACT_NAMES.join(', ')}.`);
  }
  return contract;
}
