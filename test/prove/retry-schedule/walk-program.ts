import type { Store } from '../service-process.ts'
import { walkFailing } from './walk-failing.ts'
import { walk, type Walked } from './walk.ts'

/** One walk, by a clock that it moves itself: the receiver, the verbs and the workers all go by it. */

const [store, kind] = process.argv.slice(2) as [Store, WalkKind]

export type WalkKind = 'steady' | 'killed' | 'failing'

const walked: Walked = kind === 'failing' ? await walkFailing(store) : await walk(store, kind === 'killed')
process.send?.(walked, () => process.exit())
