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
 * Builds the payload of each event, in the given order. A batch that fails is split in halves until the failing event is
 * alone. Only that event gets an error. A database error fails the whole call.
 */
export async function buildPayloads(
  builder: PayloadBuilder,
  entries: readonly EventRow[],
  requestedTypes: readonly string[],
): Promise<MessagePayload[]> {
  if (entries.length === 0) return []
  try {
    const built = await buildEventPayloads(builder.deps, entries, requestedTypes)
    return built.map((body) => ({ text: JSON.stringify(body), type: body.type }))
  } catch (error) {
    if (isDatabaseError(error)) throw error
    if (entries.length === 1) return [failedPayload(builder, entries[0] as EventRow, error)]
    const halves = [entries.slice(0, entries.length >> 1), entries.slice(entries.length >> 1)]
    const payloads: MessagePayload[] = []
    for (const half of halves) payloads.push(...(await buildPayloads(builder, half, requestedTypes)))
    return payloads
  }
}

function failedPayload({ log }: PayloadBuilder, { id, type }: EventRow, err: unknown): MessagePayload {
  log.error({ err, eventId: id }, 'event payload build failed')
  return { error: BUILD_FAULT, type }
}

/**
 * Whether the database failed, and not the event. Drivers and the network give errors a code, which does not begin with
 * `ERR_` as those of Node's own checks do. The storage layer reports an outage as a PublicError.
 */
const isDatabaseError = (error: unknown): boolean => {
  const { name, code, errno } = error as { name?: string; code?: unknown; errno?: unknown }
  const hasDriverCode = errno !== undefined || (typeof code === 'string' && !code.startsWith('ERR_'))
  return name === 'PublicError' || name === 'DatabaseTimeout' || hasDriverCode
}
