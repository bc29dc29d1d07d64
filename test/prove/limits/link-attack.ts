import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { Browser, overHttp } from '../../support/link/http-browser.ts'
import { type Attack, type Target, urlOf } from './attack.ts'

const RUNS = 25
const STREAMED_BYTES = 126 * 1024 * 1024
const CHUNK = Buffer.alloc(64 * 1024, ' ')

/** Attack by the account check of the link pages, which needs the publishable key alone. */
export const linkAttack: Attack = {
  name: 'A4',
  description: '25 link runs that name a server, which streams 126 MiB and then stalls',
  fleet: { vehicles: 1, tripsPerVehicle: 1 },
  seconds: 20,
  permitted: /^(checking|sign_in|consent|refused)$/,
  required: [/^sign_in$/],
  async run(target, count, isOver) {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      stream(response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await Promise.all(
      Array.from({ length: RUNS }, async (_, number) =>
        count(await linkRun(target, number, serverUrl, isOver)),
      ),
    )
    server.closeAllConnections()
    server.close()
  },
}

/** Returns the step at which a link run has ended, or is when the attack is over. */
async function linkRun(
  target: Target,
  number: number,
  serverUrl: string,
  isOver: () => boolean,
): Promise<string> {
  const { host } = new URL(urlOf(target, number))
  const browser = new Browser(overHttp, {}, [host])
  await browser.open(`/link/?${new URLSearchParams({ key: target.publishableKey, provider: 'traccar' })}`)
  const step = (): string => browser.step
  if (step() !== 'sign_in') return step()
  await browser.submit('sign_in', { serverUrl, token: 'of the attack' })
  if (step() === 'consent') await browser.submit('agree', { agreed: 'on' })
  while (step() === 'checking' && !isOver()) {
    await wait(500)
    await browser.reload()
  }
  return step()
}

/** Sends an endless list, as fast as it is read, and never its end. */
function stream(response: ServerResponse): void {
  const chunks = Array<Buffer>(STREAMED_BYTES / CHUNK.length).fill(CHUNK)
  response.write('[')
  Readable.from(chunks).pipe(response, { end: false })
}
