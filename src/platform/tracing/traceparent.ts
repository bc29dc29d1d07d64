import type { SpanContext } from '@opentelemetry/api'

/** Trace context in the W3C header `traceparent`. */

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const ALL_ZERO = /^0+$/

/** Parses the header; null if it is missing or invalid. */
export function toSpanContext(header: string | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? []
  if (!traceId || !spanId || !flags || ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

export const toTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
