import { type Attack, repeat, type Target } from './attack.ts'
import { initMessage, openSocket, send } from './transports.ts'

/** Attacks by the number of requests, wrong keys and subscriptions. */

const LARGE = { vehicles: 1000, tripsPerVehicle: 3 }
const LIMITED = /^200$|^429 TOO_MANY_REQUESTS$|^503 SERVICE_UNAVAILABLE$/

const SOCKETS = 100
const SUBSCRIPTIONS_PER_SOCKET = 100

/** A different document for each subscription, because equal ones share their results. */
const subscription = (number: number): string =>
  `subscription { e${number}: events { id subject { ... on Vehicle { trips(first: 100) { nodes { id vehicle { name } } } } } } }`

export const floodAttacks: readonly Attack[] = [
  {
    name: 'A5, light',
    description: '50 clients that request one vehicle without pause',
    fleet: LARGE,
    permitted: LIMITED,
    required: [/^200$/],
    run: (target, count, isOver) =>
      repeat(50, isOver, async (client) => count(await read(target, client, '/vehicles?limit=1'))),
  },
  {
    name: 'A5, heavy',
    description: '200 clients that request 1,000 trips with their vehicles without pause',
    fleet: LARGE,
    permitted: LIMITED,
    required: [/^200$/],
    run: (target, count, isOver) =>
      repeat(200, isOver, async (client) =>
        count(await read(target, client, '/trips?limit=1000&expand=vehicle')),
      ),
  },
  {
    name: 'A6',
    description:
      '100 sockets with 100 subscriptions each, of which every event asks 100 trips and their vehicles',
    fleet: LARGE,
    seconds: 30,
    hasEvents: true,
    permitted: /^acknowledged$|^next$|^complete$|^(next|error) (TOO_MANY_REQUESTS|SERVICE_UNAVAILABLE)$/,
    required: [/^next$/],
    async run(target, count, isOver) {
      await Promise.all(
        Array.from({ length: SOCKETS }, (_, index) => {
          const socket = openSocket(target, index)
          socket.on('open', () => socket.send(initMessage(target)))
          socket.on('message', (data: Buffer) => {
            const { type, ...message } = JSON.parse(data.toString()) as { type: string }
            if (type !== 'connection_ack') return count(answerOf(type, message))
            count('acknowledged')
            for (let number = 0; number < SUBSCRIPTIONS_PER_SOCKET; number++) {
              const query = subscription(index * SUBSCRIPTIONS_PER_SOCKET + number)
              socket.send(JSON.stringify({ id: String(number), type: 'subscribe', payload: { query } }))
            }
          })
          socket.on('error', ({ message }) => count(message))
          const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
          const end = setInterval(() => {
            if (!isOver()) return
            clearInterval(end)
            socket.terminate()
          }, 100)
          return closed
        }),
      )
    },
  },
  {
    name: 'A9',
    description: 'wrong keys from 50 clients without pause',
    fleet: { vehicles: 1, tripsPerVehicle: 1 },
    permitted: /^401 UNAUTHORIZED$|^429 TOO_MANY_REQUESTS$/,
    required: [/^401 /, /^429 /],
    async run(target, count, isOver) {
      let number = 0
      await repeat(50, isOver, async (client) => {
        const key = `sk_sandbox_${String(++number).padStart(32, '0')}`
        const headers = { authorization: `Bearer ${key}` }
        count(await send(target, client, { path: '/tsp/v1/vehicles', headers }))
      })
    },
  },
]

const read = (target: Target, client: number, path: string): Promise<string> =>
  send(target, client, {
    path: `/tsp/v1${path}`,
    headers: { 'connection-token': target.connectionToken },
  })

const answerOf = (type: string, message: object): string => {
  const code = /"code":"(\w+)"/.exec(JSON.stringify(message))?.[1]
  return code === undefined ? type : `${type} ${code}`
}
