import { type Attack, repeat } from './attack.ts'
import { doors, graphqlBody, overHttp, send } from './transports.ts'

/** Attacks by operations that are small to write and large to run. */

const CLIENTS = 6
const SMALL = { vehicles: 1, tripsPerVehicle: 1 }
const LARGE = { vehicles: 1000, tripsPerVehicle: 3 }

/** Returns lists of vehicles and trips in each other. */
function nestedLists(levels: number): string {
  let inner = 'id'
  for (let level = 0; level < levels; level++) inner = `trips(first: 1000) { nodes { vehicle { ${inner} } } }`
  return `{ vehicles(first: 1000) { nodes { ${inner} } } }`
}

/** Returns fragments of which each selects the next one twice. */
function doublingFragments(count: number): string {
  const fragments = Array.from(
    { length: count },
    (_, at) =>
      `fragment f${at} on Vehicle { a: latestLocation { vehicle { ...f${at + 1} } } b: latestLocation { vehicle { ...f${at + 1} } } }`,
  )
  return `{ vehicles(first: 1) { nodes { ...f0 } } } ${fragments.join(' ')} fragment f${count} on Vehicle { id }`
}

const nestedLevels = (levels: number): string =>
  `{ vehicles { nodes ${'{ latestLocation { vehicle '.repeat(levels / 2)}{ id }${' } }'.repeat(levels / 2)} } }`

/** Refused by its cost, or by the rate of requests before that. */
const REFUSED = /^(400|200|socket) COST_LIMIT_EXCEEDED$|TOO_MANY_REQUESTS$/
const COST = /^400 COST_LIMIT_EXCEEDED$/
const EACH_DOOR = [COST, /^200 COST_LIMIT_EXCEEDED$/, /^socket COST_LIMIT_EXCEEDED$/]

const createSessions = Array.from(
  { length: 800 },
  (_, at) => `a${at}: createSession(input: {}) { token }`,
).join(' ')

const passthroughs = Array.from(
  { length: 300 },
  (_, at) => `a${at}: passthrough(input: { method: GET, path: "/x" }) { response { statusCode } }`,
).join(' ')

/** Costs nearly as much as an operation may. */
const LARGEST_PERMITTED =
  '{ vehicles(first: 1000) { nodes { id name trips(first: 80) { nodes { id distance } } } } }'

/** Sends a query again and again, each client through one of the doors. */
const throughDoors =
  (queryOf: (client: number) => string): Attack['run'] =>
  (target, count, isOver) =>
    repeat(CLIENTS, isOver, async (client) =>
      count(await doors[client % doors.length]!(target, client, queryOf(client))),
    )

export const operationAttacks: readonly Attack[] = [
  {
    name: 'A1',
    description: 'lists of 1,000 in each other, five and six levels, over HTTP, event streams and sockets',
    fleet: LARGE,
    permitted: REFUSED,
    required: EACH_DOOR,
    run: throughDoors((client) => nestedLists(client % 2 === 0 ? 5 : 6)),
  },
  {
    name: 'A1, permitted',
    description: 'the largest operation that is permitted, from 20 clients',
    fleet: LARGE,
    permitted: /^200$|^429 TOO_MANY_REQUESTS$|^503 SERVICE_UNAVAILABLE$|^504 GATEWAY_TIMEOUT$/,
    required: [/^200$/, /^429 /],
    run: (target, count, isOver) =>
      repeat(20, isOver, async (client) => count(await overHttp(target, client, LARGEST_PERMITTED))),
  },
  {
    name: 'A2',
    description: '16 fragments, each of which selects the next one twice',
    fleet: SMALL,
    permitted: REFUSED,
    required: EACH_DOOR,
    run: throughDoors(() => doublingFragments(16)),
  },
  {
    name: 'A7',
    description: 'a request with 800 createSession, or with 300 passthrough',
    fleet: SMALL,
    permitted: REFUSED,
    required: [COST],
    run: (target, count, isOver) =>
      repeat(CLIENTS, isOver, async (client) =>
        count(
          await overHttp(target, client, `mutation { ${client % 2 === 0 ? createSessions : passthroughs} }`),
        ),
      ),
  },
  {
    name: 'A8',
    description: 'sessions and short links without end, from 20 clients',
    fleet: SMALL,
    seconds: 20,
    permitted: /^200$|^429 TOO_MANY_REQUESTS$|^422 UNPROCESSABLE_ENTITY$/,
    required: [/^200$/, /^429 /],
    async run(target, count, isOver) {
      let number = 0
      await repeat(20, isOver, async (client) => {
        const query =
          client % 2 === 0
            ? 'mutation { createSession(input: {}) { token } }'
            : `mutation { createShortLink(input: { externalId: "a${++number}" }) { shortLink { url } } }`
        count(await overHttp(target, client, query))
      })
    },
  },
  {
    name: 'A10',
    description: '1,000 nested levels in a query, and in a body of REST',
    fleet: SMALL,
    permitted: /^400 |^(200|socket) COST_LIMIT_EXCEEDED$|TOO_MANY_REQUESTS$/,
    required: [COST, /^400 BAD_REQUEST$/],
    run: (target, count, isOver) =>
      repeat(CLIENTS, isOver, async (client) => {
        const door = doors[client % doors.length]!
        count(await door(target, client, nestedLevels(1000)))
        count(
          await send(target, client, {
            method: 'PATCH',
            path: '/tsp/v1/connections/current',
            headers: { 'connection-token': target.connectionToken },
            body: `{"tags": ${'['.repeat(1000)}${']'.repeat(1000)}}`,
          }),
        )
        count(await send(target, client, { path: '/graphql', body: nestedVariables }))
      }),
  },
]

const nestedVariables = graphqlBody('query ($ids: [ID!]) { vehicles(ids: $ids) { nodes { id } } }').replace(
  '"variables":{}',
  `"variables":{"ids":${'['.repeat(1000)}${']'.repeat(1000)}}`,
)
