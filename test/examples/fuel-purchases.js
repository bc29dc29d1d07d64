// A subgraph of your own: what was fuelled, by vehicle. It needs Node and the `graphql` package, nothing else.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { buildSchema, graphql } from 'graphql'

if (!process.env.SUBGRAPH_SECRET) {
  process.stderr.write('Set SUBGRAPH_SECRET.\n')
  process.exit(1)
}

const sdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type FuelPurchase { liters: Float! station: String! }
  type Vehicle @key(fields: "id") { id: ID! fuelPurchases: [FuelPurchase!] }
  type Mutation { addFuelPurchase(vehicleId: ID!, liters: Float!, station: String!): FuelPurchase! }`
const schema = buildSchema(`${sdl}
  directive @link(url: String!, import: [String!]) on SCHEMA
  directive @key(fields: String!) on OBJECT
  scalar _Any
  union _Entity = Vehicle
  type _Service { sdl: String! }
  type Query { _service: _Service! _entities(representations: [_Any!]!): [_Entity]! }`)

const purchases = new Map()
const purchasesOf = (application, vehicleId) => purchases.get(`${application}/${vehicleId}`) ?? []
const rootValue = {
  _service: { sdl },
  _entities: ({ representations }, { application }) =>
    representations.map(({ id }) => ({
      __typename: 'Vehicle',
      id,
      fuelPurchases: purchasesOf(application, id),
    })),
  addFuelPurchase({ vehicleId, ...purchase }, { application }) {
    purchases.set(`${application}/${vehicleId}`, [...purchasesOf(application, vehicleId), purchase])
    return purchase
  },
}

/** Returns the caller that the gateway names; null if the signature is not the gateway's or not recent. */
function callerIn({ headers }) {
  const header = (name) => headers[`x-odograph-${name}`] ?? ''
  const [timestamp, application, connection, session, scopes, signature] =
    'timestamp application connection session scopes signature'.split(' ').map(header)
  const narrowed = scopes ? [session, scopes] : session ? [session] : []
  const hmac = createHmac('sha256', process.env.SUBGRAPH_SECRET)
  const expected = hmac.update([timestamp, application, connection, ...narrowed].join('.')).digest()
  const given = Buffer.from(signature, 'hex')
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 60
  return isFresh && given.length === 32 && timingSafeEqual(given, expected) ? { application } : null
}

const server = createServer(async (request, response) => {
  const contextValue = callerIn(request)
  if (!contextValue) return response.writeHead(401).end()
  const { query: source, variables: variableValues } = await json(request)
  const answer = await graphql({ schema, source, rootValue, contextValue, variableValues })
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
server.listen(Number(process.env.PORT ?? 4001), '127.0.0.1', () =>
  process.stdout.write(`fuel purchases at port ${server.address().port}\n`),
)
