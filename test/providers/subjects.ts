import type { Subject } from './endings.ts'
import { traccar } from './traccar-subject.ts'

/** The adapters that are proved with the fake of their provider: whoever adds a provider adds one. */
export const subjects: readonly Subject[] = [traccar]
