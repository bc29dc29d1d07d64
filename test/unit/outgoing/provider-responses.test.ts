import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createProviderApi } from '../../../src/providers/http/create-provider-api.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import { type Behaviour, Receiver } from '../../support/outbound-http/raw-receiver.ts'

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const BODY = '{"vehicles":[]}'
const OK = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`

const inOnePart =
  (bytes: string): Behaviour =>
  (socket) =>
    void socket.write(bytes)

const byteByByte =
  (bytes: string): Behaviour =>
  async (socket) => {
    for (const byte of bytes) {
      socket.write(byte)
      await nextTurn()
    }
  }

/** Ways to send a request to a provider. */
const requests: Readonly<Record<string, (api: ProviderApi) => Promise<unknown>>> = {
  'a read': (api) => api.get('/vehicles'),
  'a read by POST': (api) => api.post('/vehicles', { after: null }),
  'a passthrough request': async (api) => {
    const request = { method: 'POST', path: '/vehicles', headers: {}, body: '{}' }
    return JSON.parse((await api.send(request)).body.toString())
  },
  'a file': async (api) => (await api.file('/vehicles')).json(),
}

test.each(
  Object.keys(requests).flatMap((name) =>
    [
      ['100', inOnePart(CONTINUE + OK)],
      ['102', inOnePart(`HTTP/1.1 102 Processing\r\n\r\n${OK}`)],
      ['103', inOnePart(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}`)],
      ['100 twice', inOnePart(CONTINUE + CONTINUE + OK)],
      ['100 byte by byte', byteByByte(CONTINUE + OK)],
    ].map(([interim, behaviour]) => [name, interim, behaviour] as [string, string, Behaviour]),
  ),
)('%s gets its response after an unrequested %s', async (name, _, behaviour) => {
  await using receiver = await Receiver.start(behaviour)
  const { signal } = new AbortController()
  const api = createProviderApi({ baseUrl: receiver.url(''), headers: {}, signal })
  for (let sent = 1; sent <= 2; sent++) expect(await requests[name]?.(api)).toEqual({ vehicles: [] })
  // A retry would hide a failure.
  expect(receiver.heads).toHaveLength(2)
})
