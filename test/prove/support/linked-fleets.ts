import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import type { Database } from '../../../src/storage/database.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'

/** Starts the simulated provider as a separate process without rate limit. */
export async function startProvider() {
  const program = join(process.cwd(), 'dist/src/providers/sandbox/simulator/program.js')
  const child = fork(program, ['--rate-per-second', '1000000'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid,
    async close() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

const AT_ONCE = 8

/** Links fleets of one application, each with its own account. Returns their ids. */
export async function linkFleets(db: Database, sandboxUrl: string) {
  const provider = sandboxAdapter(sandboxUrl)
  const secrets = createEncryption(Buffer.alloc(32, 1))
  const { application } = await createApplication(db, {
    name: 'Proof',
    environment: 'sandbox',
    now: Date.now(),
  })
  let linked = 0
  const linkOne = async (vehicles: number) => {
    const input = {
      applicationId: application.id,
      provider,
      credentials: { apiKey: keyOf(vehicles, ++linked) },
    }
    return (await createConnection({ db, secrets, now: Date.now() }, input)).connection.id
  }
  return async (count: number, vehicles: number): Promise<string[]> => {
    const ids: string[] = []
    while (ids.length < count) {
      const some = Array.from({ length: Math.min(AT_ONCE, count - ids.length) }, () => linkOne(vehicles))
      ids.push(...(await Promise.all(some)))
    }
    return ids
  }
}

const keyOf = (vehicles: number, seed: number): string => `sandbox-${vehicles}-${seed}`
