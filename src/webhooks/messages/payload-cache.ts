import type { Logger } from '../../platform/logging/log.ts'
import type { EventRow } from '../../storage/outbox.ts'
import { type PayloadDeps, buildEventPayloads } from '../../subgraphs/events/event-payloads.ts'

/** What a message says, as it is sent; or why nothing can be sent. */
export type Payload =
  | { readonly text: string; readonly type: string; readonly fault?: undefined }
  | { readonly fault: string; readonly type: string }

export interface PayloadCache {
  readonly deps: PayloadDeps
  readonly log: Logger
}

const UNMAKEABLE = 'No message can be made of this event.'

/** The bodies of events, each text made once. One of which none can be made holds up no other. */
export async function createPayloadCache(
  bodies: PayloadCache,
  entries: readonly EventRow[],
  asked: readonly string[],
): Promise<Payload[]> {
  if (entries.length === 0) return []
  try {
    const made = await buildEventPayloads(bodies.deps, entries, asked)
    return made.map((body) => ({ text: JSON.stringify(body), type: body.type }))
  } catch (error) {
    if (isOfTheDatabase(error)) throw error
    if (entries.length === 1) return [unmakeable(bodies, entries[0] as EventRow, error)]
    const halves = [entries.slice(0, entries.length >> 1), entries.slice(entries.length >> 1)]
    const each: Payload[] = []
    for (const half of halves) each.push(...(await createPayloadCache(bodies, half, asked)))
    return each
  }
}

function unmakeable({ log }: PayloadCache, { id, type }: EventRow, err: unknown): Payload {
  log.error({ err, eventId: id }, 'no message can be made of an event')
  return { fault: UNMAKEABLE, type }
}

/** What the database fails with, which says nothing about an event; Node's own codes begin with ERR_. */
const isOfTheDatabase = (error: unknown): boolean => {
  const { name, code, errno } = error as { name?: string; code?: unknown; errno?: unknown }
  const isCoded = errno !== undefined || (typeof code === 'string' && !code.startsWith('ERR_'))
  return name === 'PublicError' || name === 'Overdue' || isCoded
}
