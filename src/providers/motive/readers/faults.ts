import { z } from 'zod'
import { toInstant, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import type { Reader, ReaderState, ReadPage, TimeWindow } from '../../provider.ts'
import { isUnsupportedNetwork, toFaultCodeEvent } from '../mappers/events.ts'
import { faultCode } from '../schemas/events.ts'
import { pageAt, type ListCursor, START, unwrapped } from './paging/pages.ts'

/** Position of the feed: the first-seen limit, and the time since which changed faults are requested. */
interface FaultCursor {
  readonly from: string
  readonly since: string | null
  readonly until: string
  readonly place: ListCursor
}

/** Overlap with the previous sync, because clocks differ. */
const OVERLAP_MS = 10 * 60_000

/**
 * Current state of faults that were first seen since `from`. The list cannot be filtered by date. Where it
 * cannot be filtered by change time either, it returns all faults.
 */
export const faultCodes: Reader<NormalizedFaultCodeEvent> = {
  mode: 'feed',
  schema: 'fault_code',
  read,
  stateForWindow,
  normalize: (record) => toFaultCodeEvent(validate(faultCode, record)),
}

async function read(api: ProviderApi, state: ReaderState, window: TimeWindow): Promise<ReadPage> {
  const cursor = cursorIn(state, window)
  const page = await pageAt(api, '/v1/fault_codes', { updated_after: cursor.since }, cursor.place)
  const records = page.items
    .map(unwrapped)
    .filter((fault) => isSupportedNetwork(fault) && isSeenSince(fault, cursor))
  if (page.next) return { records, next: { ...cursor, place: page.next } }
  return { records, next: { from: cursor.from, since: cursor.until }, isCaughtUp: true }
}

function cursorIn(state: ReaderState, { from, to }: TimeWindow): FaultCursor {
  const known = state as Partial<FaultCursor> | null
  return {
    from: known?.from ?? toIso(from),
    since: known?.since ?? null,
    until: known?.until ?? toIso(to - OVERLAP_MS),
    place: known?.place ?? START,
  }
}

/** Continues with changed faults. Earlier faults than before require a full read. */
function stateForWindow(state: NonNullable<ReaderState>, { from: begin }: TimeWindow): ReaderState {
  const { from, since } = state as unknown as FaultCursor
  if (begin < Date.parse(from)) return null
  return { from, since: since && toIso(Math.min(Date.parse(since), begin)) }
}

const networked = z.looseObject({ network: z.string() })

function isSupportedNetwork(fault: unknown): boolean {
  const { data } = networked.safeParse(fault)
  return !data || !isUnsupportedNetwork(data.network)
}

const seen = z.looseObject({ first_observed_at: z.string() })

/** A fault without a first-seen time passes: the mapping rejects it. */
function isSeenSince(fault: unknown, { from }: FaultCursor): boolean {
  const { data } = seen.safeParse(fault)
  const first = data ? toInstant(data.first_observed_at) : null
  return first === null || first >= Date.parse(from)
}
