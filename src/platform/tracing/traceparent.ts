import type { SpanContext } from '@opentelemetry/api'

/** A place in a trace as W3C writes it in the header `traceparent`. */

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const NOTHING = /^0+$/

/** Null where the header is not one. */
export function toSpanContext(header: string | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? []
  if (!traceId || !spanId || !flags || NOTHING.test(traceId) || NOTHING.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

export const toTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
