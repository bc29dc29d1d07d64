import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export const SECRET = 'known to the two of them'

/** The subgraph of `test/examples/`, as a separate process. */
export class FuelPurchases implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}/graphql`
  }

  static async start(port = 0): Promise<FuelPurchases> {
    const program = join(process.cwd(), 'test/examples/fuel-purchases.js')
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, PORT: String(port), SUBGRAPH_SECRET: SECRET },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    return new FuelPurchases(child, Number(/\d+/.exec(line.toString())?.[0]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exited = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await exited
  }
}
