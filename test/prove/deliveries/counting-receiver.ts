import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const PROGRAM = join(process.cwd(), 'dist/test/prove/deliveries/receiver-program.js')
const STALLED_MS = 60_000

interface Count {
  readonly count: number
  readonly bytes: number
  readonly firstAt: number
  readonly at: number
}

/** Number of messages, and seconds from the first to the last. */
export interface Counted {
  readonly messages: number
  readonly bytes: number
  readonly seconds: number
}

/** A receiver in a separate process that only counts. */
export class CountingReceiver implements AsyncDisposable {
  private last: Count = { count: 0, bytes: 0, firstAt: 0, at: 0 }

  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.on('message', (count: Count) => (this.last = count))
  }

  static async start(): Promise<CountingReceiver> {
    const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new CountingReceiver(child, `http://127.0.0.1:${port}/`)
  }

  /** Waits for this many messages since the start of the count. */
  async receives(messages: number): Promise<Counted> {
    let [best, since] = [0, performance.now()]
    while (this.last.count < messages) {
      if (this.last.count > best) [best, since] = [this.last.count, performance.now()]
      if (performance.now() - since > STALLED_MS)
        throw new Error(`only ${best} of ${messages} messages arrived`)
      await wait(20)
    }
    const { count, bytes, firstAt, at } = this.last
    return { messages: count, bytes, seconds: (at - firstAt) / 1000 }
  }

  begin(): void {
    this.last = { count: 0, bytes: 0, firstAt: 0, at: 0 }
    this.child.send('begin')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await exited
  }
}
