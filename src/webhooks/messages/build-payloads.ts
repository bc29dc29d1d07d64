import type { Logger } from '../../platform/logging/log.ts'
import type { EventRow } from '../../storage/outbox.ts'
import { type PayloadDeps, buildEventPayloads } from '../../subgraphs/events/event-payloads.ts'

/** Body of a message as it is sent, or the reason why it could not be built. */
export type MessagePayload =
  | { readonly text: string; readonly type: string; readonly error?: undefined }
  | { readonly error: string; readonly type: string }

export interface PayloadBuilder {
  readonly deps: PayloadDeps
  readonly log: Logger
}

const BUILD_FAULT = 'The payload of this event could not be built.'

/**
 * Builds the payloads of events, in the order of the entries. If a batch fails, it is split in halves until
 * the failing event is alone; only that event gets a fault. A database error rejects the whole batch.
 */
export async function buildPayloads(
  bodies: PayloadBuilder,
  entries: readonly EventRow[],
  requestedTypes: readonly string[],
): Promise<MessagePayload[]> {
  if (entries.length === 0) return []
  try {
    const built = await buildEventPayloads(bodies.deps, entries, requestedTypes)
    return built.map((body) => ({ text: JSON.stringify(body), type: body.type }))
  } catch (error) {
    if (isDatabaseError(error)) throw error
    if (entries.length === 1) return [failedPayload(bodies, entries[0] as EventRow, error)]
    const halves = [entries.slice(0, entries.length >> 1), entries.slice(entries.length >> 1)]
    const payloads: MessagePayload[] = []
    for (const half of halves) payloads.push(...(await buildPayloads(bodies, half, requestedTypes)))
    return payloads
  }
}

function failedPayload({ log }: PayloadBuilder, { id, type }: EventRow, err: unknown): MessagePayload {
  log.error({ err, eventId: id }, 'event payload build failed')
  return { error: BUILD_FAULT, type }
}

/** Whether the database failed, and not the event. Codes of Node itself begin with `ERR_`. */
const isDatabaseError = (error: unknown): boolean => {
  const { name, code, errno } = error as { name?: string; code?: unknown; errno?: unknown }
  const isCoded = errno !== undefined || (typeof code === 'string' && !code.startsWith('ERR_'))
  return name === 'PublicError' || name === 'DatabaseTimeout' || isCoded
}
