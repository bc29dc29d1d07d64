import { killedSync } from './killed-sync.ts'
import { largeFleet } from './large-fleet.ts'

export interface Proof {
  readonly name: string
  readonly says: string
  /** Gives what does not hold. */
  run(args: readonly string[]): Promise<readonly string[]>
}

export const proofs: readonly Proof[] = [largeFleet, killedSync]
