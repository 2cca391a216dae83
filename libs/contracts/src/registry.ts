import type { Contract } from './contract.js';
import { cortecloud } from './cortecloud/cortecloud.js';
import { tfFiscal } from './tf-fiscal/tf-fiscal.js';

/** Every contract that an application can choose, by name. */
const CONTRACTS: ReadonlyMap<string, Contract> = new Map(
  [tfFiscal, cortecloud].map((contract) => [contract.name, contract]),
);

export const CONTRACT_NAMES: readonly string[] = [...CONTRACTS.keys()];

export function findContract(name: string): Contract | undefined {
  return CONTRACTS.get(name);
}

/** For a name that is known to be stored, i.e. was checked when the application was created. */
export function contractNamed(name: string): Contract {
  const contract = CONTRACTS.get(name);
  if (!contract) {
    throw new Error(`Contract "${name}" is not in the registry; known are ${CONTRACT_NAMES.join(', ')}.`);
  }
  return contract;
}
