import type { Store } from '../support/service-process.ts'
import { walkFailing } from './walk-failing.ts'
import { walk, type Walked } from './walk.ts'

/** Runs one walk and moves its clock, which the receiver, the commands and the workers share. */

const [store, kind] = process.argv.slice(2) as [Store, WalkKind]

export type WalkKind = 'steady' | 'killed' | 'failing'

const walked: Walked = kind === 'failing' ? await walkFailing(store) : await walk(store, kind === 'killed')
process.send?.(walked, () => process.exit())
