import { partNames } from '../support/distributed-service.ts'
import {
  type Draw,
  killed,
  mariadbHangs,
  mariadbKilled,
  networkStalls,
  paused,
  providerFrozen,
  redisKilled,
  type Victims,
} from './faults.ts'
import type { HostClocks } from './host-clocks.ts'
import { servers } from './own-servers.ts'
import type { TokenFleets } from './token-fleets.ts'

/** Processes, servers, clocks and sign-ins that faults of the distributed size act on. */
export interface DistributedVictims extends Victims {
  readonly clocks: HostClocks
  readonly tokenFleets: TokenFleets
}

const workers = ['worker-1', 'worker-2']

const MAX_SKEW_MS = 30_000

/** Sets the clock of one host. It stays wrong until the next fault of this kind on the host. */
const clockSkewed: Draw<DistributedVictims> = (random, { clocks }) => {
  const part = random.pick(partNames)
  const aheadMs = random.below(2 * MAX_SKEW_MS + 1) - MAX_SKEW_MS
  return {
    name: 'clock skewed',
    of: `${part}, ${(aheadMs / 1000).toFixed(1)} s ahead`,
    lastsMs: random.below(3000),
    strike: async () => clocks.set(part, aheadMs),
    repair: async () => undefined,
  }
}

/** Faults that strike between the answer of a token endpoint and its store. */
const renewalFaults: readonly Draw[] = [
  mariadbKilled,
  mariadbHangs,
  networkStalls(['database']),
  paused(workers),
]

/** An outage that outlasts the patience of a job's statement. */
const LONG_OUTAGE_MS = 40_000

/** Makes a worker renew tokens. Another fault strikes once the provider has replaced them. */
const renewalStruck: Draw<DistributedVictims> = (random, victims) => {
  const { tokenFleets } = victims
  const { name, of, lastsMs, strike, repair } = random.pick(renewalFaults)(random, victims)
  const fleet = random.pick(tokenFleets.all)
  return {
    name: `tokens renewed, then ${name}`,
    of,
    lastsMs: of === 'database' && random.chance(0.3) ? LONG_OUTAGE_MS : lastsMs,
    async strike() {
      await tokenFleets.beginRenewal(fleet)
      await strike()
    },
    async repair() {
      await repair()
      return tokenFleets.awaitRenewal(fleet)
    },
  }
}

/** Every kind of fault. */
export const distributedFaults: readonly Draw<DistributedVictims>[] = [
  killed('worker killed', workers),
  killed('gateway killed', ['gateway']),
  killed(
    'subgraph killed',
    partNames.filter((name) => name.startsWith('subgraph:')),
  ),
  paused(partNames),
  clockSkewed,
  renewalStruck,
  redisKilled,
  mariadbKilled,
  providerFrozen,
  networkStalls(servers),
]
