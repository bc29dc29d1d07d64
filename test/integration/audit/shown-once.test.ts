import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyScopes } from '../../../src/auth/key-scopes.ts'
import { runInProcess } from '../../support/harnesses/cli-harness.ts'
import { makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { ask } from '../../support/harnesses/session-harness.ts'
import { stores } from '../../support/database/stores.ts'
import { READING } from '../../support/audit/command-cases.ts'

/** Secrets in responses, without publishable keys and connection tokens, which queries return. */
const SECRETS =
  /\b(?:sk_(?:prod|sandbox)_\w{32}|pub_tkn_\w{32}|ses_tkn_[\w.-]{40,}|whsec_[\w+/=]{40,}|Od1-\w{32})/g

const RECEIVER = 'https://receiver.example.com/hook'

/** Mutations that create a secret, and the payload field that contains it. */
const secretMutations: readonly (readonly [name: string, input: object, shows: string])[] = [
  ['createKey', { name: 'Plain' }, 'value'],
  ['createKey', { name: 'Admin', scopes: ['ADMIN'] }, 'value'],
  ['createSession', {}, 'token'],
  ['createWebhookEndpoint', { url: RECEIVER }, 'secret'],
]

const READS = `{
  application { id name }
  keys(first: 100) { nodes { id use hint name scopes lastUsedAt } }
  sessions { nodes { id scopes } }
  webhookEndpoints(first: 20) { nodes { id url secrets { id } headers { name maskedValue } deliveries(first: 50) { nodes { id attempts { error
    request { url headers body } response { statusCode headers body } } } } } }
  auditLog(first: 1000) { nodes { id action targetId detail actor { kind id } } }
  events(first: 1000) { nodes { id type detail } }
  connections { nodes { id linkUrl } }
}`

const REST_PATHS = [
  '/connections',
  '/connections/current',
  '/providers',
  '/webhook-endpoints',
  '/events',
  '/issues',
  '/syncs',
]

test.each(stores)(
  'each secret is only in the response that creates it, on %s',
  async (store) => {
    const home = await makeHome(store)
    const settings = { LOG_LEVEL: 'debug', DEMO: 'on' }
    await using service = await ServiceProcess.start(home, ['--fleet-size', '2'], settings)
    const made: string[] = []
    const cli = async (...args: string[]): Promise<string> => {
      const { code, out, error } = await runInProcess(home, home.environment, args)
      expect([args, code]).toEqual([args, 0])
      return out + error
    }
    const cliMade = async (...args: string[]) => {
      const answer = await cli('--json', ...args)
      made.push(answer)
      return JSON.parse(answer.slice(0, answer.lastIndexOf('}') + 1)) as Record<string, string>
    }

    const [{ id: application = '' }] = JSON.parse(await cli('--json', 'applications', 'list')) as [
      { id?: string },
    ]
    const own = ['--application', application]
    await cliMade('applications', 'create', 'Fleet Software Inc.')
    const admin = await cliMade('keys', 'create', '--scopes', keyScopes.join(','), ...own)
    const plain = await cliMade('keys', 'create', ...own)
    await cliMade('keys', 'rotate', plain['id']!, ...own)
    const hook = await cliMade('webhooks', 'create', '--url', RECEIVER, ...own)
    await cliMade('webhooks', 'rotate', hook['id']!, ...own)
    await cliMade('purchases', 'networks', 'add', 'marqeta', '--default', 'approve', ...own)

    const bearer = admin['key']!
    const mutate = async (name: string, input: object, shows: string): Promise<Record<string, unknown>> => {
      const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`
      const record = shows === 'value' ? 'key' : shows === 'token' ? 'session' : 'endpoint'
      const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${shows} ${record} { id } } }`
      const headers = { 'idempotency-key': randomUUID() }
      const answer = await ask(service, bearer, text, { input }, headers)
      expect([name, answer.errors]).toEqual([name, undefined])
      // The same key returns the same secret. Its stored copy is encrypted.
      expect(await ask(service, bearer, text, { input }, headers)).toEqual(answer)
      made.push(JSON.stringify(answer))
      return (answer.data as Record<string, Record<string, unknown>>)[name]!
    }
    for (const [name, input, shows] of secretMutations)
      for (let sent = 0; sent < 2; sent++) {
        const payload = await mutate(name, input, shows)
        const { id } = (payload['key'] ?? payload['session'] ?? payload['endpoint']) as { id: string }
        if (shows === 'value') await mutate('rotateKey', { keyId: id }, 'value')
        if (shows === 'secret') await mutate('rotateWebhookSecret', { endpointId: id }, 'secret')
      }

    const post = async (path: string, body: object) => {
      const response = await fetch(service.ready.restUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, text: await response.text() }
    }
    const endpoint = await post('/webhook-endpoints', { url: RECEIVER })
    const { id: endpointId } = JSON.parse(endpoint.text) as { id: string }
    const rotated = await post(`/webhook-endpoints/${endpointId}/rotate-secret`, {})
    made.push(endpoint.text, rotated.text)

    const secrets = made.flatMap((answer) => answer.match(SECRETS) ?? [])
    expect(new Set(secrets).size).toBe(secrets.length)
    expect(made.map((answer) => answer.match(SECRETS)?.length)).toEqual(made.map(() => 1))

    const { publicToken = '' } = service.ready as { publicToken?: string }
    const later: string[] = []
    for (let sent = 0; sent < 2; sent++) {
      const exchanged = await post('/public-token/exchange', { publicToken })
      expect(exchanged.status).toBe(sent === 0 ? 200 : 404)
      later.push(exchanged.text)
    }

    const type = 'vehicle.added'
    await ask(service, bearer, TEST, { input: { endpointId: hook['id'], type } })
    const read = await ask(service, bearer, READS)
    expect(read.errors).toBeUndefined()
    later.push(JSON.stringify(read))
    const headers = { ...service.headers(), authorization: `Bearer ${bearer}` }
    for (const path of [
      ...REST_PATHS,
      `/webhook-endpoints/${endpointId}`,
      `/webhook-endpoints/${endpointId}/deliveries`,
    ])
      later.push(await (await fetch(service.ready.restUrl + path, { headers })).text())
    const argsByCommand: Readonly<Record<string, readonly string[]>> = {
      'applications show': [application],
      'connections show': [service.ready.connectionId],
      'connections held-removals': [service.ready.connectionId],
      'webhooks show': [hook['id']!, ...own],
      'sandbox purchases': [...own, '--connection', service.ready.connectionId],
      'webhooks deliveries': [hook['id']!, ...own],
      'ifta report': [...own, '--quarter', '2026-Q3'],
    }
    const serviceWide = /^(applications list|encryption-key|doctor|jobs|audit|syncs)/
    for (const command of READING.filter((one) => !/^(jobs|syncs show|doctor|purchases replay)/.test(one))) {
      const applicationArgs = serviceWide.test(command) || command === 'connections list' ? [] : own
      later.push(await cli(...command.split(' '), ...(argsByCommand[command] ?? applicationArgs)))
    }
    await service.end()
    const db = await home.open()
    for (const table of [
      'audit_log',
      'events',
      'webhook_deliveries',
      'webhook_attempts',
      'sessions',
      'api_keys',
      'idempotency_keys',
    ])
      later.push(JSON.stringify(await db.rows(`SELECT * FROM \`${table}\``)))
    await db.close()

    for (const secret of [...secrets, publicToken]) {
      const shows = (text: string) => text.includes(secret.slice(-20))
      expect([secret.slice(0, 8), later.filter(shows)]).toEqual([secret.slice(0, 8), []])
      // The banner prints the public token of the demo; it is not a log line.
      if (secret !== publicToken) expect(shows(service.output())).toBe(false)
    }
    await home.remove()
  },
  180_000,
)

const TEST = 'mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { delivery { id } } }'
