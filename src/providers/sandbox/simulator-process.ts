import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export interface SandboxProgram {
  readonly url: string
  close(): Promise<void>
}

interface Wanted {
  readonly fleetSize: number
  /** Where its sign-in may send browsers back to, beside their own machine. */
  readonly redirectPrefix?: string | undefined
}

/** Starts the simulated provider as a process of its own; it ends with this one, however this one ends. */
export async function startSimulatorProcess({ fleetSize, redirectPrefix }: Wanted): Promise<SandboxProgram> {
  const program = new URL('./simulator/program.js', import.meta.url)
  const registered = redirectPrefix === undefined ? [] : ['--redirect-prefix', redirectPrefix]
  const child = fork(program, ['--fleet-size', String(fleetSize), ...registered], {
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
    child.once('exit', (code) => reject(new Error(`the sandbox provider ended with code ${code}`)))
  })
}
