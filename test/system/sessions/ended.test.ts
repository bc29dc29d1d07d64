import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import { ask, Conversation, createSession, REVOKE } from '../../support/harnesses/session-harness.ts'

const EVENTS = 'subscription { events { id type } }'
const run = promisify(execFile)

describe.each(stores)('on %s', (store) => {
  let home: Home
  let service: ServiceProcess
  /** A second process of the service: with Redis, sockets use one process and mutations the other. */
  let other: ServiceProcess

  beforeAll(async () => {
    home = await makeHome(store)
    service = await ServiceProcess.start(home, ['--fleet-size', '3'], KEYS)
    other =
      store === 'mariadb'
        ? await ServiceProcess.start(home, ['--role', 'gateway'], { ...KEYS, DEMO: 'on' })
        : service
  })
  afterAll(async () => {
    if (other !== service) await other.end()
    await service.end()
    await home.remove()
  })

  /** Runs a CLI command as a separate process. */
  async function cli(...args: readonly string[]): Promise<Record<string, string>> {
    const { stdout } = await run(
      process.execPath,
      ['dist/src/cli/main.js', ...args, '--json', '--data', home.folder],
      { env: { PATH: process.env['PATH'], ...KEYS, ...home.environment } },
    )
    return JSON.parse(stdout) as Record<string, string>
  }

  const applicationId = async () => {
    const db = await home.open()
    const [row] = await db.rows<{ id: string }>('SELECT `id` FROM `applications`')
    await db.close()
    return row!.id
  }

  async function followed(payload: object, at = service): Promise<Conversation> {
    const socket = await Conversation.open(at, payload)
    await socket.next('connection_ack')
    socket.subscribe('1', EVENTS)
    return socket
  }

  const connectionOf = (at: ServiceProcess) => ({
    authorization: `Bearer ${at.ready.secretKey}`,
    connectionToken: at.ready.connectionToken,
  })

  test('a socket closes when its session is revoked, and no other does', async () => {
    const [one, another] = [await createSession(service), await createSession(service)]
    const socket = await followed({ authorization: `Bearer ${one.token}` })
    const kept = await followed({ authorization: `Bearer ${another.token}` })
    const { errors } = await ask(other, service.ready.secretKey, REVOKE, { id: one.session.id })
    expect(errors).toBeUndefined()
    expect(await socket.closed).toEqual({ code: 4403, reason: 'The session has been revoked.' })
    const { status } = await ask(service, one.token, '{ connections { nodes { id } } }')
    expect(status).toBe(401)
    kept.subscribe('2', '{ connections { nodes { id } } }')
    expect(await kept.next('complete')).toMatchObject({ id: '2' })
    kept.end()
  })

  test('a socket closes when an operator revokes its key in another process', async () => {
    const whose = ['--application', await applicationId()]
    const made = await cli('keys', 'create', ...whose)
    const socket = await followed({ authorization: `Bearer ${made['key']}` }, other)
    await cli('keys', 'revoke', String(made['id']), ...whose)
    expect(await socket.closed).toEqual({ code: 4403, reason: 'The secret key has been revoked.' })
  })

  test('a socket closes when its session expires', async () => {
    const { token, session } = await createSession(service, { expiresInSeconds: 60 })
    const db = await home.open()
    const soon = Date.now() + 1500
    await db.transaction((tx) =>
      tx.run('UPDATE `sessions` SET `expiresAt` = ? WHERE `id` = ?', [soon, session.id]),
    )
    await db.close()
    const socket = await followed({ authorization: `Bearer ${token}` })
    expect(await socket.closed).toEqual({ code: 4403, reason: 'The session has expired.' })
    expect(Date.now()).toBeGreaterThanOrEqual(soon)
    expect((await ask(service, token, '{ connections { nodes { id } } }')).status).toBe(401)
  })

  test('streams of a connection close when it is archived, and reopen after it is restored', async () => {
    const { connectionId, secretKey } = service.ready
    const { token } = await createSession(service, { connectionIds: [connectionId] })
    const sockets = [
      await followed(connectionOf(service), other),
      await followed({ authorization: `Bearer ${token}` }),
    ]
    const whole = await followed({ authorization: `Bearer ${secretKey}` })
    await cli('connections', 'archive', connectionId)
    for (const socket of sockets)
      expect(await socket.closed).toEqual({
        code: 4403,
        reason: `The connection ${connectionId} is archived or being deleted.`,
      })
    const again = await Conversation.open(service, connectionOf(service))
    expect((await again.closed).code).toBe(4403)
    whole.subscribe('2', '{ connections { nodes { id status } } }')
    expect(await whole.next('complete')).toMatchObject({ id: '2' })
    whole.end()
    const back =
      'mutation ($id: ID!) { updateConnection(input: { connectionId: $id, status: CONNECTED }) { connection { status } } }'
    expect((await ask(service, secretKey, back, { id: connectionId })).errors).toBeUndefined()
    const opened = await Conversation.open(service, connectionOf(service))
    await opened.next('connection_ack')
    opened.end()
  })

  test('an event stream that a browser opened by URL gets the reason for its end', async () => {
    const { token, session } = await createSession(service)
    const address = `${other.ready.graphqlUrl}?${new URLSearchParams({ query: EVENTS, access_token: token }).toString()}`
    const headers = { accept: 'text/event-stream' }
    const stream = await fetch(address, { headers })
    expect(stream.headers.get('content-type')).toMatch('text/event-stream')
    await ask(service, service.ready.secretKey, REVOKE, { id: session.id })
    const text = await stream.text()
    expect(text).toContain('The session has been revoked.')
    expect(text).toContain('UNAUTHENTICATED')
    expect(text).toMatch(/event: complete\ndata:\n\n$/)
    expect((await fetch(address, { headers })).status).toBe(401)
  })

  test('a reserved event stream gets the reason for its end, for each of its operations', async () => {
    const { token, session } = await createSession(service)
    const url = service.ready.graphqlUrl
    const authorization = `Bearer ${token}`
    const reserved = await (await fetch(url, { method: 'PUT', headers: { authorization } })).text()
    const headers = { authorization, 'x-graphql-event-stream-token': reserved }
    const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } })
    for (const operationId of ['a', 'b']) {
      const requested = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query: EVENTS, extensions: { operationId } }),
      })
      expect(requested.status).toBe(202)
    }
    await ask(other, service.ready.secretKey, REVOKE, { id: session.id })
    const text = await stream.text()
    for (const operationId of ['a', 'b'])
      expect(text).toContain(
        `{"id":"${operationId}","payload":{"errors":[{"message":"The session has been revoked.`,
      )
  })

  // The embedded database serves one process.
  if (store === 'sqlite') return

  test('a stream of a subgraph gets the reason for its end', async () => {
    await using subgraph = ServiceProcess.spawn(home, ['--role', 'subgraph:events'], { ...KEYS, DEMO: 'off' })
    const { url } = await subgraph.becomesReady()
    const { token, session } = await createSession(service)
    const open = () =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: EVENTS }),
      })
    const stream = await open()
    expect(stream.headers.get('content-type')).toMatch('text/event-stream')
    await ask(service, service.ready.secretKey, REVOKE, { id: session.id })
    const text = await stream.text()
    expect(text).toContain('The session has been revoked.')
    expect(text).toContain('UNAUTHENTICATED')
    expect(text).toMatch(/event: complete\ndata:\n\n$/)
    expect((await open()).status).toBe(401)
  })

  test('a session reads data of remote subgraphs through a gateway', async () => {
    const part = async (name: string) => {
      const process = ServiceProcess.spawn(home, ['--role', `subgraph:${name}`], { ...KEYS, DEMO: 'off' })
      return { process, address: `${name}=${(await process.becomesReady()).url}/graphql` }
    }
    const parts = [await part('fleet'), await part('events')]
    const SUBGRAPH_URLS = parts.map(({ address }) => address).join(',')
    const gateway = ServiceProcess.spawn(home, ['--role', 'gateway'], {
      ...KEYS,
      SUBGRAPH_URLS,
      DEMO: 'on',
    })
    try {
      await gateway.becomesReady()
      const query = '{ vehicles(first: 3) { nodes { id name } } }'
      const scopes = ['READ_FLEET', 'READ_EVENTS']
      const { token, session } = await createSession(service, { scopes })
      const own = await ask(service, token, query)
      expect(own.errors).toBeUndefined()
      expect(await ask(gateway, token, query)).toEqual(own)
      const beyond = await ask(gateway, token, '{ vehicles { nodes { id trips { nodes { id } } } } }')
      expect(beyond.errors?.[0]?.message).toBe('The session has no scope READ_RECORDS.')
      const socket = await followed({ authorization: `Bearer ${token}` }, gateway)
      await ask(service, service.ready.secretKey, REVOKE, { id: session.id })
      expect(await socket.closed).toEqual({ code: 4403, reason: 'The session has been revoked.' })
    } finally {
      for (const one of [gateway, ...parts.map(({ process }) => process)]) await one.end('SIGKILL')
    }
  })
})

const KEYS = { ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }
