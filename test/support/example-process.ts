import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A program of `test/examples/`, started as the README describes. */
export class ExampleProcess implements AsyncDisposable {
  private printed = ''

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text) => (this.printed += String(text)))
  }

  /** Starts the program on a free port and waits until it prints its address. */
  static async start(name: string, environment: Readonly<Record<string, string>>): Promise<ExampleProcess> {
    const program = join(process.cwd(), 'test/examples', name)
    const env = { PATH: process.env['PATH'], PORT: '0', ...environment }
    const example = new ExampleProcess(spawn(process.execPath, [program], { env }))
    while (!example.port) await once(example.child.stdout!, 'data').catch(() => undefined)
    return example
  }

  /** Output of the program so far. */
  get output(): string {
    return this.printed
  }

  get port(): number {
    return Number(/(?:port |:)(\d+)/.exec(this.printed)?.[1] ?? 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await exited
  }
}
