import { z } from 'zod'
import { toInstant, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import type { Reader, ReaderState, ReadPage, TimeWindow } from '../../provider.ts'
import { isUnsupportedNetwork, toFaultCodeEvent } from '../mappers/events.ts'
import { faultCode } from '../schemas/events.ts'
import { pageAt, type ListCursor, START, unwrapped } from './paging/pages.ts'

interface FaultCursor {
  /** Faults that were first seen before this time are ignored. */
  readonly from: string
  /** Time since which this sync reads changes; null to read all faults. */
  readonly since: string | null
  /** Time since which the next sync reads changes. */
  readonly until: string
  /** Position in the list. */
  readonly place: ListCursor
}

/** Overlap with the previous sync, because our clock and Motive's may differ. */
const OVERLAP_MS = 10 * 60_000

/**
 * Faults that were first seen since `from`, in their current state. The list has no filter for the time of a fault. If
 * it ignores the filter for the change time, it returns all faults.
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

/**
 * Continues to read changes, unless the window begins before `from`: earlier faults require a read of the
 * whole list.
 */
function stateForWindow(state: NonNullable<ReaderState>, { from: windowStart }: TimeWindow): ReaderState {
  const { from, since } = state as unknown as FaultCursor
  if (windowStart < Date.parse(from)) return null
  return { from, since: since && toIso(Math.min(Date.parse(since), windowStart)) }
}

const networked = z.looseObject({ network: z.string() })

function isSupportedNetwork(fault: unknown): boolean {
  const { data } = networked.safeParse(fault)
  return !data || !isUnsupportedNetwork(data.network)
}

const seen = z.looseObject({ first_observed_at: z.string() })

/** Whether a fault was first seen since `from`, or has no valid time at which it was first seen. */
function isSeenSince(fault: unknown, { from }: FaultCursor): boolean {
  const { data } = seen.safeParse(fault)
  const first = data ? toInstant(data.first_observed_at) : null
  return first === null || first >= Date.parse(from)
}
