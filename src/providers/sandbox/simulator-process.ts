import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export interface SimulatorProcess {
  readonly url: string
  close(): Promise<void>
}

interface SimulatorOptions {
  readonly fleetSize: number
  /** Prefix of the redirect URLs that its sign-in accepts. It always accepts loopback URLs. */
  readonly redirectPrefix?: string | undefined
}

/** Starts the simulated provider as a child process. It exits when this process exits, for any reason. */
export async function startSimulatorProcess({
  fleetSize,
  redirectPrefix,
}: SimulatorOptions): Promise<SimulatorProcess> {
  const program = new URL('./simulator/program.js', import.meta.url)
  const redirectOptions = redirectPrefix === undefined ? [] : ['--redirect-prefix', redirectPrefix]
  const child = fork(program, ['--fleet-size', String(fleetSize), ...redirectOptions], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const port = await portOf(child)
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      if (child.exitCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port))
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`the sandbox provider exited with code ${code} before it reported its port`)),
    )
  })
}
