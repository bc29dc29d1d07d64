import { geotab } from './geotab-subject.ts'
import { motive } from './motive-subject.ts'
import { samsara } from './samsara-subject.ts'
import type { SyncedSubject } from './subject.ts'
import { traccar } from './traccar-subject.ts'

/** The adapters that are proved with the fake of their provider: whoever adds a provider adds one. */
export const subjects: readonly SyncedSubject[] = [traccar, samsara, geotab, motive]
