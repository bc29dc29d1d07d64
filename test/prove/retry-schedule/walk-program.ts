import type { Store } from '../support/service-process.ts'
import { walkFailing } from './walk-failing.ts'
import { walk, type WalkResult } from './walk.ts'

/** Runs one walk and moves its clock, which the receiver, the commands and the workers share. */

const [store, kind] = process.argv.slice(2) as [Store, WalkKind]

export type WalkKind = 'steady' | 'killed' | 'failing'

const result: WalkResult =
  kind === 'failing' ? await walkFailing(store) : await walk(store, kind === 'killed')
process.send?.(result, () => process.exit())
