import { fuzz } from '../fuzz/proof.ts'
import { history } from './history.ts'
import { killedSync } from './killed-sync.ts'
import { largeFleet } from './large-fleet.ts'
import type { Proof } from './proof.ts'

export const proofs: readonly Proof[] = [largeFleet, killedSync, history, fuzz]
