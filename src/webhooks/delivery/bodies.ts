import type { Logger } from '../../log.ts'
import type { LogEntry } from '../../storage/outbox.ts'
import { type BodiesFrom, eventBodies } from '../../subgraphs/events/event-bodies.ts'

/** What a message says, as it is sent; or why nothing can be sent. */
export type Body =
  | { readonly text: string; readonly type: string; readonly fault?: undefined }
  | { readonly fault: string; readonly type: string }

export interface Bodies {
  readonly from: BodiesFrom
  readonly log: Logger
}

const UNMAKEABLE = 'No message can be made of this event.'

/** The bodies of events, each text made once. One of which none can be made holds up no other. */
export async function bodiesOf(
  bodies: Bodies,
  entries: readonly LogEntry[],
  asked: readonly string[],
): Promise<Body[]> {
  if (entries.length === 0) return []
  try {
    const made = await eventBodies(bodies.from, entries, asked)
    return made.map((body) => ({ text: JSON.stringify(body), type: body.type }))
  } catch (error) {
    if (isOfTheDatabase(error)) throw error
    if (entries.length === 1) return [unmakeable(bodies, entries[0] as LogEntry, error)]
    const halves = [entries.slice(0, entries.length >> 1), entries.slice(entries.length >> 1)]
    const each: Body[] = []
    for (const half of halves) each.push(...(await bodiesOf(bodies, half, asked)))
    return each
  }
}

function unmakeable({ log }: Bodies, { id, type }: LogEntry, err: unknown): Body {
  log.error({ err, eventId: id }, 'no message can be made of an event')
  return { fault: UNMAKEABLE, type }
}

/** What the database fails with, which says nothing about an event; Node's own codes begin with ERR_. */
const isOfTheDatabase = (error: unknown): boolean => {
  const { name, code, errno } = error as { name?: string; code?: unknown; errno?: unknown }
  const isCoded = errno !== undefined || (typeof code === 'string' && !code.startsWith('ERR_'))
  return name === 'PublicError' || name === 'Overdue' || isCoded
}
