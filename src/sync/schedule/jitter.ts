import { createHash } from 'node:crypto'
import type { Instant } from '../../domain/time.ts'

/**
 * When a connection's turn comes. Each has a beat of its own, drawn from its id, so that connections are spread over an
 * interval, and are so again after a restart, an outage or a thousand links in one minute.
 */

/** The first beat of a connection after a moment. */
export function nextJitteredTime(connectionId: string, now: Instant, intervalMs: number): Instant {
  const offset = offsetOf(connectionId, intervalMs)
  return now + intervalMs - modulo(now - offset, intervalMs)
}

/** Between half an interval and a whole one after this moment, and in a step or two on the beat. */
export function nextRunAt(connectionId: string, now: Instant, intervalMs: number): Instant {
  const gap = nextJitteredTime(connectionId, now, intervalMs) - now
  return now + (gap >= intervalMs / 2 ? gap : Math.ceil((gap + intervalMs) / 2))
}

const offsetOf = (connectionId: string, intervalMs: number): number =>
  createHash('sha256').update(connectionId).digest().readUIntBE(0, 6) % intervalMs

const modulo = (value: number, by: number): number => ((value % by) + by) % by
