import { setTimeout as wait } from 'node:timers/promises'
import { type Kind, kinds, type Opened, type Scene } from './kinds.ts'
import type { Api, Deliveries } from './webhooks-api.ts'

const MAX_DURATION_MS = 90_000

/** A hostile receiver with its endpoint. */
export class Hostile implements AsyncDisposable {
  private constructor(
    readonly kind: Kind,
    private readonly id: string,
    private readonly opened: Opened,
  ) {}

  /** Starts this many of each kind. */
  static startAll = (api: Api, scene: Scene, each: number): Promise<Hostile[]> =>
    Promise.all(
      Array.from({ length: each }, (_, number) =>
        kinds.map(async (kind) => {
          const opened = await kind.open(scene, number)
          const { id } = await api.create({ url: opened.url, description: kind.does })
          return new Hostile(kind, id, opened)
        }),
      ).flat(),
    )

  /** Returns the delivery log once it is complete, or after a timeout. */
  async reported(api: Api): Promise<DeliveryLog> {
    for (const until = performance.now() + MAX_DURATION_MS; ; await wait(500)) {
      const deliveries = await api.read(this.id)
      const { does, log } = this.kind
      const lacks = log.filter((form) => !deliveries.lines.some((line) => form.test(line)))
      const amiss = deliveries.lines.filter((line) => !log.some((form) => form.test(line)))
      if (lacks.length > 0 && amiss.length === 0 && performance.now() < until) continue
      const problems = [
        ...lacks.map((form) => `receiver that ${does}: the delivery log has no line ${form}`),
        ...[...new Set(amiss)].map((line) => `receiver that ${does}: unexpected delivery log line ${line}`),
        ...(deliveries.status === 'ENABLED' ? [] : [`a receiver that ${does} was disabled`]),
      ]
      return { does, deliveries, problems }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.opened[Symbol.asyncDispose]()
  }
}

export interface DeliveryLog {
  readonly does: string
  readonly deliveries: Deliveries
  readonly problems: readonly string[]
}

/** Formats the attempts of each kind by their log line. */
export function tableOf(reported: readonly DeliveryLog[]): string {
  const rows = kinds.flatMap(({ does }) => {
    const lines = reported.filter((one) => one.does === does).flatMap(({ deliveries }) => deliveries.lines)
    const counts = new Map<string, number>()
    for (const line of lines.map(withoutNumbers)) counts.set(line, (counts.get(line) ?? 0) + 1)
    return [...counts].map(([line, count], at) => [at === 0 ? does : '', String(count), line] as const)
  })
  return [['a receiver that', 'times', 'the delivery log has'] as const, ...rows]
    .map(([does, count, line]) => `${does.padEnd(42)}${count.padStart(5)}  ${line}`)
    .join('\n')
}

/** Replaces ports and numbers of receivers. */
const withoutNumbers = (line: string): string =>
  line.replace(/:\d{4,5}\b/g, ':…').replace(/-\d+\.test/g, '.test')
