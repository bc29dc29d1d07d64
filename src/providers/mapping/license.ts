import type { NormalizedLicense } from '../../domain/models/normalized-record.ts'
import { toStateCode } from './state-codes.ts'

/** License plate or driver license, with the state or province that issued it; null without a number. */
export const toLicense = (number: string | null, state: string | null): NormalizedLicense | null =>
  number === null ? null : { state: toStateCode(state), number }
