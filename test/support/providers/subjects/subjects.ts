import { geotab } from './geotab-subject.ts'
import { motive } from './motive-subject.ts'
import { samsara } from './samsara-subject.ts'
import type { SyncedSubject } from './subject.ts'
import { traccar } from './traccar-subject.ts'

/** Adapters that the tests run against the fake of their provider. A new provider adds one entry. */
export const subjects: readonly SyncedSubject[] = [traccar, samsara, geotab, motive]
