// The little server behind live-map.html. It holds the secret key, which no browser may see, and gives the page a
// session token for a quarter of an hour. It needs Node and the `graphql-ws` package, which the page runs on.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const missing = ['SECRET_KEY', 'CONNECTION_TOKEN'].filter((name) => !process.env[name])
if (missing.length > 0) {
  process.stderr.write(`Set ${missing.join(' and ')}.\n`)
  process.exit(1)
}

const odograph = process.env.ODOGRAPH_URL ?? 'http://127.0.0.1:8080'
const graphqlWs = dirname(dirname(createRequire(import.meta.url).resolve('graphql-ws')))

const files = {
  '/': ['text/html; charset=utf-8', new URL('live-map.html', import.meta.url)],
  '/graphql-ws.js': ['text/javascript', join(graphqlWs, 'umd/graphql-ws.min.js')],
}

const NEW_SESSION = `mutation { createSession(input: {
  scopes: [READ_FLEET, READ_TELEMETRY, READ_EVENTS], expiresInSeconds: 900
}) { token } }`

/** A token for the fleet of CONNECTION_TOKEN alone. Ask here, first, who your user is and which fleet is theirs. */
async function newSession() {
  const response = await fetch(`${odograph}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.SECRET_KEY}`,
      'connection-token': process.env.CONNECTION_TOKEN,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: NEW_SESSION }),
  })
  const { data, errors } = await response.json()
  if (errors) throw new Error(errors[0].message)
  return { token: data.createSession.token, url: `${odograph.replace(/^http/, 'ws')}/graphql` }
}

const server = createServer(async ({ method, url }, response) => {
  try {
    if (method === 'POST' && url === '/session') {
      const session = JSON.stringify(await newSession())
      return response
        .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(session)
    }
    const [type, path] = files[url] ?? []
    if (!path) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': type }).end(readFileSync(path))
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    response.writeHead(503).end()
  }
})
server.listen(Number(process.env.PORT ?? 4003), '127.0.0.1', () =>
  process.stdout.write(`live page at http://127.0.0.1:${server.address().port}/\n`),
)
