import type { Instant } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import type { Reader, ReaderState, TimeWindow } from '../../provider.ts'
import { shorterPeriod } from '../error-mapping.ts'
import {
  faultChangeSchema,
  diffFaults,
  applyReports,
  type DeviceFault,
  type FaultReport,
  faultReportsIn,
  toFaultCodeEvent,
} from './fault-state.ts'
import { devicesUpdatedSince, readPositions } from '../readers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Usual maximum delay of a position. A deep lookback finds the positions that arrive later. */
const USUAL_DELAY_MS = 2 * HOUR_MS
/** Length of the period before a slice in which the start of an open fault is searched. */
const MAX_FAULT_MS = 31 * DAY_MS
/** Time for which closed faults stay known, in case their positions are read again. */
const KEPT_MS = 7 * DAY_MS
/** Maximum length of a slice. */
const MAX_DAYS = 31
const FIRST_SLICE_DAYS = 7

/** Known faults of each device, and the progress of reading positions. */
interface FaultCursor {
  readonly known: Readonly<Record<string, readonly DeviceFault[]>>
  /** Time up to which the last completed round has read. The next round starts a little before it. */
  readonly readTo: Instant
  readonly round: ReadingRound
}

/** Read of the same time range for all devices, one after the other. */
interface ReadingRound extends TimeWindow {
  /** Remaining devices. */
  readonly ids: readonly number[]
  /** Start of the next slice of the first remaining device. */
  readonly at: Instant
  /** Length of the next slice. */
  readonly days: number
  /** Maximum period of a request; absent until the server refuses a longer one. */
  readonly mostMs?: number
}

/**
 * Derives faults from positions, which list the current codes of a vehicle. An open fault is known from sync to sync,
 * and ends at the first position without its code.
 */
export const faultReader: Reader<NormalizedFaultCodeEvent> = {
  mode: 'feed',
  rereadsWindow: true,
  schema: 'fault',
  async read(api, state, window) {
    const cursor = await cursorAt(api, state as FaultCursor | null, window)
    const [id] = cursor.round.ids
    if (id === undefined) return { records: [], next: endRound(cursor), isCaughtUp: true }
    const { changes, known, round } = await readDeviceSlice(api, cursor, id).catch((error: unknown) =>
      withShorterPeriod(cursor, id, error),
    )
    const next = { ...cursor, known: { ...cursor.known, [id]: known }, round }
    const isOver = round.ids.length === 0
    return { records: changes, next: isOver ? endRound(next) : { ...next }, isCaughtUp: isOver }
  },
  /** Makes the next round read the whole window, also if the sync stops before its end. */
  stateForWindow: (saved, { from }) => ({
    ...saved,
    readTo: Math.min((saved as unknown as FaultCursor).readTo, from),
  }),
  normalize: (record) => toFaultCodeEvent(validate(faultChangeSchema, record)),
}

/** Returns the cursor of an unfinished round of this sync. Otherwise starts a new round. */
async function cursorAt(
  api: ProviderApi,
  cursor: FaultCursor | null,
  window: TimeWindow,
): Promise<FaultCursor> {
  if (cursor && cursor.round.to === window.to && cursor.round.ids.length > 0) return cursor
  const readTo = cursor?.readTo ?? window.from
  const from = Math.max(window.from, readTo - USUAL_DELAY_MS)
  const ids = await devicesUpdatedSince(api, from)
  return {
    known: cursor?.known ?? {},
    readTo,
    round: {
      ids,
      from,
      to: window.to,
      at: from,
      days: FIRST_SLICE_DAYS,
      ...(cursor?.round.mostMs ? { mostMs: cursor.round.mostMs } : {}),
    },
  }
}

/** Reads the next slice of a device and derives the changes of its faults. */
async function readDeviceSlice(api: ProviderApi, { known: all, round }: FaultCursor, id: number) {
  const before = all[id] ?? []
  const { mostMs = Infinity } = round
  const lengthMs = Math.min(round.days * DAY_MS, mostMs)
  const slice = { ids: [id], from: round.at, to: Math.min(round.to, round.at + lengthMs) }
  const { reports, readTo } = await readReports(api, slice)
  const isFirstSlice = before.length === 0 || round.at === round.from
  const codes = isFirstSlice ? unknownCodesIn(reports[0], before) : []
  const earlier =
    codes.length > 0 ? await earlierFaultsOf(api, id, { to: slice.from, codes, mostMs }) : noEarlierFaults
  const known = applyReports([...before, ...earlier.known], reports, { from: slice.from, to: readTo })
  const changes = diffFaults(id, before, known, [...earlier.reports, ...reports])
  return { changes, known, round: nextRound(round, readTo) }
}

const noEarlierFaults: { known: readonly DeviceFault[]; reports: readonly FaultReport[] } = {
  known: [],
  reports: [],
}

/** Codes of a report that belong to no known open fault. */
const unknownCodesIn = (report: FaultReport | undefined, known: readonly DeviceFault[]): readonly string[] =>
  report?.codes.filter((code) => !known.some((fault) => fault.code === code && isOpenAt(fault, report.at))) ??
  []

const isOpenAt = ({ at, closedAt }: DeviceFault, moment: Instant): boolean =>
  at <= moment && (closedAt === null || closedAt > moment)

/** Repeats the slice with a shorter period after the server refused its length. */
function withShorterPeriod({ known, round }: FaultCursor, id: number, error: unknown) {
  const mostMs = shorterPeriod(round.mostMs ?? MAX_FAULT_MS, error)
  return { changes: [], known: known[id] ?? [], round: { ...round, mostMs } }
}

interface EarlierFaultsQuery {
  /** Start of the slice of the device. */
  readonly to: Instant
  readonly codes: readonly string[]
  /** Maximum period of a request. */
  readonly mostMs: number
}

/** Finds the faults with these codes that were open at `to`, in the positions before it. */
async function earlierFaultsOf(api: ProviderApi, id: number, { to, codes, mostMs }: EarlierFaultsQuery) {
  const reports: FaultReport[] = []
  for (let from = to - MAX_FAULT_MS; from < to;) {
    const found = await readReports(api, { ids: [id], from, to: Math.min(to, from + mostMs) })
    reports.push(...found.reports)
    from = found.readTo
  }
  const known = applyReports([], reports, { from: to - MAX_FAULT_MS, to })
  return {
    known: known.filter(({ code, closedAt }) => closedAt === null && codes.includes(code)),
    reports,
  }
}

async function readReports(api: ProviderApi, slice: Parameters<typeof readPositions>[1]) {
  const { records, readTo } = await readPositions(api, slice)
  return { reports: faultReportsIn(records).filter(({ at }) => at < readTo), readTo }
}

function nextRound(round: ReadingRound, readTo: Instant): ReadingRound {
  if (readTo < round.to) return { ...round, at: readTo, days: Math.min(MAX_DAYS, round.days * 2) }
  return { ...round, ids: round.ids.slice(1), at: round.from }
}

/** Ends a round, and drops faults that were closed long ago. */
function endRound({ known, round, ...cursor }: FaultCursor): ReaderState {
  const isKept = ({ closedAt }: DeviceFault) => closedAt === null || closedAt >= round.from - KEPT_MS
  const kept = Object.entries(known).map(([id, all]) => [id, all.filter(isKept)] as const)
  return {
    ...cursor,
    readTo: round.to,
    known: Object.fromEntries(kept.filter(([, all]) => all.length > 0)),
    round,
  }
}
