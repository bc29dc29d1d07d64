import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The simulated provider with its controls, as a separate process. */
export class SandboxProcess implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(options: readonly string[] = []): Promise<SandboxProcess> {
    const program = join(process.cwd(), 'dist/src/providers/sandbox/simulator/program.js')
    const child = spawn(process.execPath, [program, '--controls', ...options], {
      // The channel closes when this process exits in any way; the child then exits.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new SandboxProcess(child, `http://127.0.0.1:${port}`)
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Suspends and resumes the process: a suspended server accepts connections and never responds. */
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

  /** Returns the number of requests of an account to a path. */
  async requests(key: string, path: string): Promise<number> {
    const response = await fetch(`${this.url}/control/requests`)
    const counts = (await response.json()) as Record<string, Record<string, number> | undefined>
    return counts[key]?.[path] ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exited = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await exited
  }
}
