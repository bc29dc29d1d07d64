import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { WorldOptions } from '../world/options.ts'
import type { Fault } from './faults.ts'

export interface FakeOptions {
  readonly port?: number
  readonly seed?: number
  /** Initial time of the fake's clock. */
  readonly now?: string
  readonly vehicles?: number
  readonly accounts?: number
  readonly days?: number
  readonly world?: Partial<WorldOptions>
  /** Provider-specific settings. */
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
    /** Most calls in any window, by the length of the window in milliseconds. */
    readonly most: Readonly<Record<string, number>>
  }[]
}

/** Usage of a rate limit. */
export interface KeptLimit {
  readonly of: string
  readonly requests: number
  /** 0 for a limit of concurrency. */
  readonly milliseconds: number
  readonly calls: number
  /** Maximum within any window. */
  readonly most: number
  readonly exceeded: number
}

/**
 * Starts a fake as a separate process: `await using traccar = await startFake('traccar', { vehicles: 3 })`.
 */
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

  /** Moves the fake's clock: to a time, or by a duration. */
  async move(to: { now: string } | { advanceMilliseconds: number }): Promise<void> {
    await this.control('POST', 'clock', to)
  }

  /** Injects faults. */
  async fail(...faults: readonly Fault[]): Promise<void> {
    await this.control('POST', 'faults', faults)
  }

  /** Removes all faults. */
  async heal(): Promise<void> {
    await this.control('DELETE', 'faults')
  }

  /** Sets switches of the fake; see `Behaviour`. */
  async behave(positions: Readonly<Record<string, string>>): Promise<void> {
    await this.control('POST', 'behaviours', positions)
  }

  calls(...windowMilliseconds: readonly number[]): Promise<CallReport> {
    return this.control('GET', `calls?windowMilliseconds=${windowMilliseconds.join() || '1000'}`)
  }

  /** Returns every rate limit that counted a call. */
  limits(): Promise<readonly KeptLimit[]> {
    return this.control('GET', 'limits')
  }

  async forgetLimits(): Promise<void> {
    await this.control('DELETE', 'limits')
  }

  async forgetCalls(): Promise<void> {
    await this.control('DELETE', 'calls')
  }

  /** Returns the records of a model that an adapter should read. */
  truth<T>(model: string, query: { from?: string; to?: string; account?: number } = {}): Promise<T> {
    const requested = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) requested.set(name, String(value))
    return this.control('GET', `truth/${model}?${requested}`)
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
