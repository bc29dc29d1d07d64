import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceProcess } from './service-process.ts'

type Kind = 'GraphQL reads' | 'REST reads' | 'writes'

interface CheckResults {
  requested: number
  longestMs: number
  readonly failures: Map<string, number>
}

const READ = '{ vehicles(first: 20) { nodes { id name latestLocation { speed } } } connection { id status } }'
const WRITE =
  'mutation ($to: ID!) { updateConnection(input: { externalId: $to }) { connection { externalId } } }'
const REQUEST_MS = 30_000
const PAUSE_MS = 20

/** Callers that repeat reads and writes without pause, and their responses. */
export class SteadyLoad {
  /** Acknowledged writes, by the written value. */
  readonly acknowledged: string[] = []
  private readonly tallies = new Map<Kind, CheckResults>()
  private readonly callers: Promise<void>[]
  private going = true
  private written = 0

  constructor(private readonly service: ServiceProcess) {
    const reads = [0, 1].flatMap(() => [
      this.again('GraphQL reads', () => this.graphql(READ)),
      this.again('REST reads', () => this.rest()),
    ])
    this.callers = [...reads, ...[0, 1].map(() => this.again('writes', () => this.write()))]
  }

  async stop(): Promise<void> {
    this.going = false
    await Promise.all(this.callers)
  }

  /** Figures, one line for each kind of request. */
  get figures(): string[] {
    return [...this.tallies].map(([kind, { requested, longestMs, failures }]) => {
      const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)
      const rate = ((100 * failed) / requested).toFixed(2)
      const why = [...failures].map(([what, count]) => `${count} × ${what}`).join(', ')
      return `${kind}: ${requested}, refused or failed ${failed} (${rate} %${why ? `: ${why}` : ''}), longest stall ${Math.round(longestMs)} ms`
    })
  }

  get longestMs(): number {
    return Math.max(...[...this.tallies.values()].map(({ longestMs }) => longestMs))
  }

  /** Responses that are neither correct nor a temporary refusal. */
  get wrong(): string[] {
    return [...this.tallies].flatMap(([kind, { failures }]) =>
      [...failures.keys()].filter((what) => !RETRYABLE.has(what)).map((what) => `${kind}: ${what}`),
    )
  }

  private async again(kind: Kind, ask: () => Promise<string | null>): Promise<void> {
    const checkResults: CheckResults = { requested: 0, longestMs: 0, failures: new Map() }
    const all = this.tallies.get(kind) ?? checkResults
    this.tallies.set(kind, all)
    while (this.going) {
      const began = performance.now()
      const failure = await ask().catch((error: unknown) => String(error))
      all.requested++
      all.longestMs = Math.max(all.longestMs, performance.now() - began)
      if (failure !== null) all.failures.set(failure, (all.failures.get(failure) ?? 0) + 1)
      await wait(PAUSE_MS)
    }
  }

  private async write(): Promise<string | null> {
    const to = `write-${++this.written}`
    const failure = await this.graphql(WRITE, { to })
    if (failure === null) this.acknowledged.push(to)
    return failure
  }

  private async graphql(query: string, variables: object = {}): Promise<string | null> {
    const response = await fetch(this.service.ready.graphqlUrl, {
      method: 'POST',
      headers: { ...this.service.headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] }
    return errors?.[0]?.extensions.code ?? null
  }

  private async rest(): Promise<string | null> {
    const response = await fetch(`${this.service.ready.restUrl}/vehicles?limit=20`, {
      headers: this.service.headers(),
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    await response.arrayBuffer()
    return response.ok ? null : String(response.status)
  }
}

const RETRYABLE = new Set(['SERVICE_UNAVAILABLE', '503'])
