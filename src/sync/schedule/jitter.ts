import { createHash } from 'node:crypto'
import type { Instant } from '../../domain/time.ts'

/**
 * Run times of a connection, once in each interval. A hash of the id fixes the offset of a connection in the interval.
 * Connections are therefore spread evenly, also after a restart, an outage or a thousand new connections in one minute.
 */

/** Returns the first run time of a connection after `now`. */
export function nextJitteredTime(connectionId: string, now: Instant, intervalMs: number): Instant {
  const offset = offsetOf(connectionId, intervalMs)
  return now + intervalMs - modulo(now - offset, intervalMs)
}

/**
 * Returns the next run time, between half an interval and a whole one after `now`. Successive calls reach the
 * offset of the connection within two runs.
 */
export function nextRunAt(connectionId: string, now: Instant, intervalMs: number): Instant {
  const gap = nextJitteredTime(connectionId, now, intervalMs) - now
  return now + (gap >= intervalMs / 2 ? gap : Math.ceil((gap + intervalMs) / 2))
}

const offsetOf = (connectionId: string, intervalMs: number): number =>
  createHash('sha256').update(connectionId).digest().readUIntBE(0, 6) % intervalMs

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor
