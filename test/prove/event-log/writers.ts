import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Home } from '../support/service-process.ts'
import type { WriterOrders } from './writer-program.ts'
import type { Writer } from './writing.ts'

const PROGRAM = join(process.cwd(), 'dist/test/prove/event-log/writer-program.js')

/** All writers: on MariaDB each is a process, on the embedded database they share one outside the service. */
export class Writers implements AsyncDisposable {
  /** Number of committed events. */
  written = 0
  readonly problems: string[] = []
  private readonly children: readonly ChildProcess[]
  private readonly ended: Promise<unknown>

  constructor(home: Home, writers: readonly Writer[]) {
    const crews = home.store === 'sqlite' ? [writers] : writers.map((writer) => [writer])
    this.children = crews.map((crew) => this.spawn(ordersFor(home, crew)))
    this.ended = Promise.all(this.children.map((child) => once(child, 'exit')))
  }

  /** Lets the writers write until about this many events are committed. */
  allow(events: number): void {
    const each = Math.ceil(events / this.children.length)
    for (const child of this.children) if (child.connected) child.send({ allow: each }, gone)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL')
    await this.ended
  }

  private spawn(orders: WriterOrders): ChildProcess {
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(orders)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.on('message', ({ written }: { written: number }) => (this.written += written))
    child.on('error', () => undefined)
    child.once('exit', (code) => {
      if (code !== 0 && code !== null) this.problems.push(`a writer ended with ${code}`)
    })
    return child
  }
}

/** A process that just ended cannot receive a message. */
const gone = () => undefined

export const journalIn = (home: Home): string => join(home.folder, 'committed')

function ordersFor(home: Home, writers: readonly Writer[]): WriterOrders {
  const { MYSQL_URL: mysqlUrl, REDIS_URL: redisUrl, QUEUE_PREFIX: prefix = '' } = home.environment
  return {
    writers,
    mysqlUrl: mysqlUrl ?? null,
    sqlitePath: join(home.folder, 'odograph.db'),
    redis: redisUrl === undefined ? null : { redisUrl, prefix },
    journal: journalIn(home),
  }
}
