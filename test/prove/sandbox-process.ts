import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The simulated provider in a process of its own, with its controls. */
export class SandboxProcess implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(options: readonly string[] = []): Promise<SandboxProcess> {
    const program = join(process.cwd(), 'dist/src/providers/sandbox/simulator/program.js')
    const child = spawn(process.execPath, [program, '--controls', ...options], {
      // Over the channel it hears of our end, however we end.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new SandboxProcess(child, `http://127.0.0.1:${port}`)
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Stops and goes on with the process: while it is stopped it accepts connections and never answers. */
  freeze = (): boolean => this.child.kill('SIGSTOP')
  thaw = (): boolean => this.child.kill('SIGCONT')

  async control(path: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    const response = await fetch(`${this.url}/control/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`the sandbox refused ${path}: ${await response.text()}`)
    await response.body?.cancel()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exited = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await exited
  }
}
