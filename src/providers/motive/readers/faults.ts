import { z } from 'zod'
import { toInstant, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedFaultCodeEvent } from '../../normalized-records.ts'
import type { Reader, ReaderState, ReadPage, TimeWindow } from '../../provider.ts'
import { isOfOthers, toFaultCodeEvent } from '../mappers/events.ts'
import { faultCode } from '../schemas/events.ts'
import { pageAt, type ListCursor, START, unwrapped } from './paging/pages.ts'

/** Since when faults are read, and since when changed ones are asked for. */
interface Reading {
  readonly from: string
  readonly since: string | null
  readonly until: string
  readonly place: ListCursor
}

/** A sync asks again for the last minutes of the one before: clocks differ. */
const OVERLAP_MS = 10 * 60_000

/**
 * Faults that were first seen in the time, as they are now. They have no dates to be asked for by; where those that were
 * changed cannot be asked for either, all are told.
 */
export const faultCodes: Reader<NormalizedFaultCodeEvent> = {
  mode: 'feed',
  schema: 'fault_code',
  read,
  leaving,
  normalize: (record) => toFaultCodeEvent(validate(faultCode, record)),
}

async function read(api: ProviderApi, state: ReaderState, window: TimeWindow): Promise<ReadPage> {
  const reading = readingIn(state, window)
  const page = await pageAt(api, '/v1/fault_codes', { updated_after: reading.since }, reading.place)
  const records = page.items.map(unwrapped).filter((fault) => isOurs(fault) && isSeenSince(fault, reading))
  if (page.next) return { records, next: { ...reading, place: page.next } }
  return { records, next: { from: reading.from, since: reading.until }, isCaughtUp: true }
}

function readingIn(state: ReaderState, { from, to }: TimeWindow): Reading {
  const known = state as Partial<Reading> | null
  return {
    from: known?.from ?? toIso(from),
    since: known?.since ?? null,
    until: known?.until ?? toIso(to - OVERLAP_MS),
    place: known?.place ?? START,
  }
}

/** Those that have been read once are followed on: only for earlier ones all have to be told again. */
function leaving(state: NonNullable<ReaderState>, { from: begin }: TimeWindow): ReaderState {
  const { from, since } = state as unknown as Reading
  if (begin < Date.parse(from)) return null
  return { from, since: since && toIso(Math.min(Date.parse(since), begin)) }
}

const networked = z.looseObject({ network: z.string() })

function isOurs(fault: unknown): boolean {
  const { data } = networked.safeParse(fault)
  return !data || !isOfOthers(data.network)
}

const seen = z.looseObject({ first_observed_at: z.string() })

/** What does not say when it was seen first is left for the mapping. */
function isSeenSince(fault: unknown, { from }: Reading): boolean {
  const { data } = seen.safeParse(fault)
  const first = data ? toInstant(data.first_observed_at) : null
  return first === null || first >= Date.parse(from)
}
