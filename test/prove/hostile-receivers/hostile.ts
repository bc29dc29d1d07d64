import { setTimeout as wait } from 'node:timers/promises'
import { type Kind, kinds, type Opened, type Scene } from './kinds.ts'
import type { Api, Deliveries } from './webhooks-api.ts'

const LONGEST_MS = 90_000

/** A hostile receiver with its endpoint. */
export class Hostile implements AsyncDisposable {
  private constructor(
    readonly kind: Kind,
    private readonly id: string,
    private readonly opened: Opened,
  ) {}

  /** So many of each kind. */
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

  /** What the log says once it says all that it has to, or after so long that it never will. */
  async told(api: Api): Promise<Told> {
    for (const until = performance.now() + LONGEST_MS; ; await wait(500)) {
      const deliveries = await api.read(this.id)
      const { does, log } = this.kind
      const lacks = log.filter((form) => !deliveries.lines.some((line) => form.test(line)))
      const amiss = deliveries.lines.filter((line) => !log.some((form) => form.test(line)))
      if (lacks.length > 0 && amiss.length === 0 && performance.now() < until) continue
      const problems = [
        ...lacks.map((form) => `of a receiver that ${does} the delivery log never says ${form}`),
        ...[...new Set(amiss)].map((line) => `of a receiver that ${does} the delivery log says ${line}`),
        ...(deliveries.status === 'ENABLED' ? [] : [`a receiver that ${does} was disabled`]),
      ]
      return { does, deliveries, problems }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.opened[Symbol.asyncDispose]()
  }
}

export interface Told {
  readonly does: string
  readonly deliveries: Deliveries
  readonly problems: readonly string[]
}

/** What the delivery log says of each kind, in how many attempts. */
export function tableOf(told: readonly Told[]): string {
  const rows = kinds.flatMap(({ does }) => {
    const lines = told.filter((one) => one.does === does).flatMap(({ deliveries }) => deliveries.lines)
    const counts = new Map<string, number>()
    for (const line of lines.map(withoutNumbers)) counts.set(line, (counts.get(line) ?? 0) + 1)
    return [...counts].map(([line, count], at) => [at === 0 ? does : '', String(count), line] as const)
  })
  return [['a receiver that', 'times', 'the delivery log says'] as const, ...rows]
    .map(([does, count, line]) => `${does.padEnd(42)}${count.padStart(5)}  ${line}`)
    .join('\n')
}

/** Ports, and which one of several it is. */
const withoutNumbers = (line: string): string =>
  line.replace(/:\d{4,5}\b/g, ':…').replace(/-\d+\.test/g, '.test')
