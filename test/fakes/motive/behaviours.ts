import type { Ledger, Switches } from '../kit/behaviours.ts'
import { asking } from './evidence/asking.ts'
import { happening } from './evidence/happening.ts'
import { standing } from './evidence/standing.ts'
import { telling } from './evidence/telling.ts'

/** What this fake does as Motive does, and how sure that is. It was never compared with the live service. */
export const ledger = { ...asking, ...standing, ...happening, ...telling } as const satisfies Ledger

export type MotiveSwitches = Switches<typeof ledger>
