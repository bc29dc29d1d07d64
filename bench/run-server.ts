import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Fleet } from './fleet.ts'
import type { ServerName } from './servers.ts'
import type { StoreLocation } from './stores.ts'

/** Server in a child process. */
export interface RunningServer extends Disposable {
  readonly url: string
  /** Returns the processor time in microseconds that the child process has used. */
  cpuMicroseconds(): Promise<number>
}

const program = fileURLToPath(new URL('./server-program.js', import.meta.url))

export async function runServer(
  server: ServerName,
  location: StoreLocation,
  fleet: Fleet,
): Promise<RunningServer> {
  const child = fork(program, [JSON.stringify({ server, location, fleet })])
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`the ${server} server exited`)))
  ended.catch(() => {})
  const nextMessage = async <T>(): Promise<T> => (await Promise.race([once(child, 'message'), ended]))[0] as T
  const port = await nextMessage<number>()
  return {
    url: `http://127.0.0.1:${port}`,
    async cpuMicroseconds() {
      child.send('cpu')
      const { user, system } = await nextMessage<NodeJS.CpuUsage>()
      return user + system
    },
    [Symbol.dispose]: () => void (child.connected && child.disconnect()),
  }
}
