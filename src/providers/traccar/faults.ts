import { z } from 'zod'
import type { Instant } from '../../time.ts'
import type { FaultCodeEventDraft } from '../drafts.ts'
import type { Window } from '../provider.ts'
import { textIn } from './attributes.ts'
import { sourceIdOf } from './drafts.ts'
import * as records from './records.ts'

/** A code of one device, from the first position that names it up to the first that does not any more. */
export interface Known {
  readonly code: string
  /** The position that named it first, and when. */
  readonly id: number
  readonly at: Instant
  /** Null while it is named. */
  readonly closedAt: Instant | null
}

/** A position that says which codes there are: one that tells of the engine and names none says that there are none. */
export interface Telling {
  readonly id: number
  readonly at: Instant
  readonly codes: readonly string[]
  readonly position: unknown
}

export const tellingsIn = (positions: readonly unknown[]): Telling[] =>
  positions.flatMap((position) => {
    const { data } = records.position.safeParse(position)
    if (!data || !('hours' in data.attributes || 'dtcs' in data.attributes)) return []
    const codes = textIn(data.attributes, 'dtcs')?.split(/[\s,]+/) ?? []
    return [{ id: data.id, at: data.fixTime, codes: [...new Set(codes)], position }]
  })

/**
 * The codes of a device after its positions of a time were read, perhaps again: what came late may have begun a code
 * earlier or ended it sooner. Beyond that time nothing changes.
 */
export function followed(
  known: readonly Known[],
  tellings: readonly Telling[],
  { from, to }: Window,
): Known[] {
  const over = known.filter(({ at, closedAt }) => at < from && closedAt !== null && closedAt < from)
  const closedBeyond = ({ closedAt }: Known) => (closedAt !== null && closedAt >= to ? closedAt : null)
  let open = known
    .filter((one) => one.at < from && !over.includes(one))
    .map((one) => ({ ...one, closedAt: closedBeyond(one) }))
  for (const { id, at, codes } of tellings) {
    const gone = open.filter(({ code }) => !codes.includes(code))
    over.push(...gone.map((one) => ({ ...one, closedAt: at })))
    open = open.filter(({ code }) => codes.includes(code))
    for (const code of codes.filter((one) => !open.some((other) => other.code === one))) {
      const before = known.find((one) => one.id === id && one.code === code)
      open.push({ code, id, at, closedAt: before ? closedBeyond(before) : null })
    }
  }
  return [...over, ...open, ...known.filter(({ at }) => at >= to)]
}

/** What became of a code, with the position that told it; without one where it was never so after all. */
export const changed = z.object({
  deviceId: z.number(),
  code: z.string(),
  since: z.object({ positionId: z.number(), fixTime: z.number() }),
  status: z.enum(['open', 'closed', 'gone']),
  position: z.unknown(),
})

type Change = z.infer<typeof changed>

/** How the codes of a device differ from what was known of them. */
export function changesOf(
  deviceId: number,
  before: readonly Known[],
  after: readonly Known[],
  tellings: readonly Telling[],
): Change[] {
  const change = (one: Known, status: Change['status'], told: Telling | undefined): Change => ({
    deviceId,
    code: one.code,
    since: { positionId: one.id, fixTime: one.at },
    status,
    position: told?.position ?? null,
  })
  const told = after.flatMap((one) => {
    const status = statusOf(one)
    const former = before.find((other) => isSame(one, other))
    if (former && statusOf(former) === status) return []
    const teller = tellings.find((telling) =>
      status === 'open' ? telling.id === one.id : telling.at === one.closedAt,
    )
    return [change(one, status, teller)]
  })
  const gone = before.filter((one) => !after.some((other) => isSame(one, other)))
  return [...told, ...gone.map((one) => change(one, 'gone', undefined))]
}

const statusOf = ({ closedAt }: Known) => (closedAt === null ? 'open' : 'closed')
const isSame = (one: Known, other: Known) => one.id === other.id && one.code === other.code

/** Trackers name codes as OBD-II does. */
export const toFaultCodeEvent = ({ deviceId, code, since, status }: Change): FaultCodeEventDraft => ({
  sourceId: `${deviceId}:${code}:${since.positionId}`,
  vehicleSourceId: sourceIdOf(deviceId),
  protocol: 'obdii',
  status: status === 'open' ? 'open' : 'closed',
  code,
  description: null,
  observedAt: since.fixTime,
  milStatus: null,
  ...(status === 'gone' ? { deletedAt: since.fixTime } : {}),
})
