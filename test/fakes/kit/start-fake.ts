import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { WorldOptions } from '../world/options.ts'
import type { Fault } from './faults.ts'

export interface FakeOptions {
  readonly port?: number
  readonly seed?: number
  /** Where its clock stands, until it is moved. */
  readonly now?: string
  readonly vehicles?: number
  readonly accounts?: number
  readonly days?: number
  readonly world?: Partial<WorldOptions>
  /** What is the provider's own. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface CallReport {
  readonly total: number
  readonly refused: number
  readonly byEndpoint: Readonly<Record<string, number>>
  readonly byKey: readonly {
    readonly endpoint: string
    readonly key: string
    readonly calls: number
    readonly refused: number
    readonly mostAtOnce: number
    /** By the length of the window in milliseconds. */
    readonly most: Readonly<Record<string, number>>
  }[]
}

/** How a limit of the provider's was kept. */
export interface KeptLimit {
  readonly of: string
  readonly requests: number
  /** 0: so many at once. */
  readonly milliseconds: number
  readonly calls: number
  /** In any stretch of time. */
  readonly most: number
  readonly exceeded: number
}

/** Starts a fake as a process of its own: `await using traccar = await startFake('traccar', { vehicles: 3 })`. */
export async function startFake(provider: string, options: FakeOptions = {}): Promise<RunningFake> {
  const program = join(process.cwd(), `dist/test/fakes/${provider}/main.js`)
  const given = Object.entries(options).flatMap(([name, value]) => [
    `--${name}`,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  const child = spawn(process.execPath, [program, '--attached', ...given], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) {
    const { port } = JSON.parse(line) as { port: number }
    return new RunningFake(child, `http://127.0.0.1:${port}`)
  }
  throw new Error(`the fake of ${provider} did not start: is it built?`)
}

export class RunningFake implements AsyncDisposable {
  constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Moves its clock: to a time, or on by so much. */
  async move(to: { now: string } | { advanceMilliseconds: number }): Promise<void> {
    await this.control('POST', 'clock', to)
  }

  async fail(...faults: readonly Fault[]): Promise<void> {
    await this.control('POST', 'faults', faults)
  }

  async heal(): Promise<void> {
    await this.control('DELETE', 'faults')
  }

  async behave(positions: Readonly<Record<string, string>>): Promise<void> {
    await this.control('POST', 'behaviours', positions)
  }

  calls(...windowMilliseconds: readonly number[]): Promise<CallReport> {
    return this.control('GET', `calls?windowMilliseconds=${windowMilliseconds.join() || '1000'}`)
  }

  /** Every limit of the provider's that somebody was counted in. */
  limits(): Promise<readonly KeptLimit[]> {
    return this.control('GET', 'limits')
  }

  async forgetLimits(): Promise<void> {
    await this.control('DELETE', 'limits')
  }

  async forgetCalls(): Promise<void> {
    await this.control('DELETE', 'calls')
  }

  /** What a reader of this model should come to. */
  truth<T>(model: string, query: { from?: string; to?: string; account?: number } = {}): Promise<T> {
    const asked = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) asked.set(name, String(value))
    return this.control('GET', `truth/${model}?${asked}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exited = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await exited
  }

  private async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
    const response = await fetch(`${this.url}/_fake/${path}`, init)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
}
