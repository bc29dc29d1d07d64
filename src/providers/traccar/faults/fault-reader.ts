import type { Instant } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedFaultCodeEvent } from '../../normalized-records.ts'
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
import { devicesHeardSince, positionsIn } from '../readers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Most of what is late comes within this; what comes later is looked for once a day, as far back as a sync looks. */
const USUALLY_LATE_MS = 2 * HOUR_MS
/** So long before the first position that is read a code that it names may have begun. */
const MAX_FAULT_MS = 31 * DAY_MS
/** For so long what is over can be read again. */
const KEPT_MS = 7 * DAY_MS
const MAX_DAYS = 31

/** What is known of the codes of each device, and where the reading of their positions is. */
interface FaultCursor {
  readonly known: Readonly<Record<string, readonly DeviceFault[]>>
  readonly readTo: Instant
  readonly lookedBackAt: Instant
  readonly round: ReadingRound
}

/** One device after another, each from the same time on. */
interface ReadingRound extends TimeWindow {
  readonly ids: readonly number[]
  /** Where the first of them is. */
  readonly at: Instant
  readonly days: number
  /** The longest period to ask for, of a server that has refused a longer one. */
  readonly mostMs?: number
}

/** Positions name the codes that there are: what is open is kept from sync to sync, and closed when none names it. */
export const faultReader: Reader<NormalizedFaultCodeEvent> = {
  mode: 'feed',
  schema: 'fault',
  async read(api, state, window) {
    const place = await placeAt(api, state as FaultCursor | null, window)
    const [id] = place.round.ids
    if (id === undefined) return { records: [], next: ended(place), isCaughtUp: true }
    const { changes, known, round } = await readOn(api, place, id).catch((error: unknown) =>
      askingForLess(place, id, error),
    )
    const next = { ...place, known: { ...place.known, [id]: known }, round }
    const isOver = round.ids.length === 0
    return { records: changes, next: isOver ? ended(next) : { ...next }, isCaughtUp: isOver }
  },
  /** As if none had looked back yet: the next round begins where the window does. */
  leaving: (place) => ({ ...place, lookedBackAt: 0 }),
  normalize: (record) => toFaultCodeEvent(validate(faultChangeSchema, record)),
}

/** Where a sync goes on that was interrupted; another begins with the first device again. */
async function placeAt(
  api: ProviderApi,
  place: FaultCursor | null,
  window: TimeWindow,
): Promise<FaultCursor> {
  if (place && place.round.to === window.to && place.round.ids.length > 0) return place
  const isFar = !place || window.to - place.lookedBackAt >= DAY_MS
  const from = isFar ? window.from : Math.max(window.from, place.readTo - USUALLY_LATE_MS)
  const ids = await devicesHeardSince(api, from)
  return {
    known: place?.known ?? {},
    readTo: place?.readTo ?? window.from,
    lookedBackAt: isFar ? window.to : place.lookedBackAt,
    round: {
      ids,
      from,
      to: window.to,
      at: from,
      days: 7,
      ...(place?.round.mostMs ? { mostMs: place.round.mostMs } : {}),
    },
  }
}

async function readOn(api: ProviderApi, { known: all, round }: FaultCursor, id: number) {
  const before = all[id] ?? []
  const { mostMs = Infinity } = round
  const lengthMs = Math.min(round.days * DAY_MS, mostMs)
  const slice = { ids: [id], from: round.at, to: Math.min(round.to, round.at + lengthMs) }
  const { tellings, readTo } = await tellingsOf(api, slice)
  const begins = before.length === 0 || round.at === round.from
  const codes = begins ? unknownIn(tellings[0], before) : []
  const earlier = codes.length > 0 ? await earlierOf(api, id, { to: slice.from, codes, mostMs }) : none
  const known = applyReports([...before, ...earlier.known], tellings, { from: slice.from, to: readTo })
  const changes = diffFaults(id, before, known, [...earlier.tellings, ...tellings])
  return { changes, known, round: roundAfter(round, readTo) }
}

const none: { known: readonly DeviceFault[]; tellings: readonly FaultReport[] } = { known: [], tellings: [] }

/** The codes that a telling names and nothing says of since when they are there. */
const unknownIn = (telling: FaultReport | undefined, known: readonly DeviceFault[]): readonly string[] =>
  telling?.codes.filter((code) => !known.some((one) => one.code === code && isThereAt(one, telling.at))) ?? []

const isThereAt = ({ at, closedAt }: DeviceFault, moment: Instant): boolean =>
  at <= moment && (closedAt === null || closedAt > moment)

/** Where a server refused so long a period: the same once more, of a shorter one. */
function askingForLess({ known, round }: FaultCursor, id: number, error: unknown) {
  const mostMs = shorterPeriod(round.mostMs ?? MAX_FAULT_MS, error)
  return { changes: [], known: known[id] ?? [], round: { ...round, mostMs } }
}

interface Earlier {
  /** When the reading of the device begins. */
  readonly to: Instant
  readonly codes: readonly string[]
  /** The longest period that its server takes. */
  readonly mostMs: number
}

/** Those of some codes that were there when the reading of a device began. */
async function earlierOf(api: ProviderApi, id: number, { to, codes, mostMs }: Earlier) {
  const tellings: FaultReport[] = []
  for (let from = to - MAX_FAULT_MS; from < to;) {
    const found = await tellingsOf(api, { ids: [id], from, to: Math.min(to, from + mostMs) })
    tellings.push(...found.tellings)
    from = found.readTo
  }
  const known = applyReports([], tellings, { from: to - MAX_FAULT_MS, to })
  return {
    known: known.filter(({ code, closedAt }) => closedAt === null && codes.includes(code)),
    tellings,
  }
}

async function tellingsOf(api: ProviderApi, slice: Parameters<typeof positionsIn>[1]) {
  const { records, readTo } = await positionsIn(api, slice)
  return { tellings: faultReportsIn(records).filter(({ at }) => at < readTo), readTo }
}

function roundAfter(round: ReadingRound, readTo: Instant): ReadingRound {
  if (readTo < round.to) return { ...round, at: readTo, days: Math.min(MAX_DAYS, round.days * 2) }
  return { ...round, ids: round.ids.slice(1), at: round.from }
}

/** Without what has been over for long. */
function ended({ known, round, ...place }: FaultCursor): ReaderState {
  const isKept = ({ closedAt }: DeviceFault) => closedAt === null || closedAt >= round.from - KEPT_MS
  const kept = Object.entries(known).map(([id, all]) => [id, all.filter(isKept)] as const)
  return {
    ...place,
    readTo: round.to,
    known: Object.fromEntries(kept.filter(([, all]) => all.length > 0)),
    round,
  }
}
