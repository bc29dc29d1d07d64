import { setTimeout as wait } from 'node:timers/promises'
import type { SeededApplication } from '../../support/factories.ts'

export interface Latencies {
  readonly requests: number
  readonly failed: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/** Rate and duration of a probe. */
export interface ProbeInput {
  readonly perSecond: number
  readonly seconds: number
}

const QUERY = '{ vehicles(first: 20) { nodes { id name groups { name } } } }'

/**
 * Sends a small query at a fixed rate to the gateways in turn, whether the last one has ended or not. Returns the
 * latencies in milliseconds.
 */
export async function probe(
  graphqlUrls: readonly string[],
  { secretKey }: SeededApplication,
  { perSecond, seconds }: ProbeInput,
): Promise<Latencies> {
  const count = Math.ceil(seconds * perSecond)
  const began = performance.now()
  const latencies: number[] = []
  const failures: unknown[] = []
  const pending: Promise<void>[] = []
  for (let at = 0; at < count; at++) {
    await wait(Math.max(0, began + (at * 1000) / perSecond - performance.now()))
    const sent = performance.now()
    pending.push(
      ask(graphqlUrls[at % graphqlUrls.length]!, secretKey)
        .catch((error: unknown) => void failures.push(error))
        .then(() => void latencies.push(performance.now() - sent)),
    )
  }
  await Promise.all(pending)
  if (failures.length > 0) console.log(`first failure of a probe: ${String(failures[0])}`)
  latencies.sort((a, b) => a - b)
  const quantile = (share: number) => latencies[Math.ceil(share * latencies.length) - 1] ?? NaN
  return {
    requests: count,
    failed: failures.length,
    p50: quantile(0.5),
    p99: quantile(0.99),
    longest: quantile(1),
  }
}

export const toLine = ({ requests, failed, p50, p99, longest }: Latencies): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(1)} ms of ${requests} requests, ${failed} failed`

async function ask(graphqlUrl: string, secretKey: string): Promise<void> {
  const response = await fetch(graphqlUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUERY }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  const { data } = JSON.parse(text) as { data?: { vehicles?: { nodes: unknown[] } } | null }
  if (data?.vehicles?.nodes.length !== 20) throw new Error(`${response.status} ${text.slice(0, 300)}`)
}
