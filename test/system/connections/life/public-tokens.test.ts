import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyHolder } from '../../../../src/auth/caller.ts'
import type { Id } from '../../../../src/domain/ids.ts'
import type { ProviderAdapter } from '../../../../src/providers/provider.ts'
import type { Database } from '../../../../src/storage/database.ts'
import { createApplication } from '../../../../src/subgraphs/connections/applications/create-application.ts'
import { createConnection } from '../../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import { exchangePublicToken } from '../../../../src/subgraphs/connections/tokens/exchange-public-token.ts'
import { issuePublicToken } from '../../../../src/subgraphs/connections/tokens/issue-public-token.ts'
import type { ConnectionCommandDeps } from '../../../../src/subgraphs/connections/command-deps.ts'
import { dialects, masterEncryption } from '../../../support/factories.ts'
import { makeHome, type Home } from '../../../prove/support/service-process.ts'
import { manifest, type RestHarness, startRest } from '../../../support/rest/rest-harness.ts'
import { stores } from '../../../support/database/stores.ts'

const MINUTE_MS = 60_000

interface Linked {
  readonly secretKey: string
  readonly applicationId: Id<'application'>
  readonly id: Id<'connection'>
}

async function linkedIn(db: Pick<Database, 'transaction'>): Promise<Linked> {
  const now = Date.now()
  const made = await createApplication(db, { name: 'Test', environment: 'sandbox', now })
  const applicationId = made.application.id
  const account = { sourceId: 'acc-1', name: 'Acme', dotNumbers: [], user: {}, timeZone: null }
  const { connection } = await createConnection(
    { db, secrets: masterEncryption, now },
    { applicationId, provider: { manifest } as ProviderAdapter, account, credentials: {} },
  )
  return { secretKey: made.secretKey, applicationId, id: connection.id }
}

describe.each(dialects)('a public token over HTTP on %s', (dialect) => {
  let rest: RestHarness
  let url: string
  beforeAll(async () => {
    rest = await startRest({ dialect })
    await rest.app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(rest.app.server.address() as AddressInfo).port}/tsp/v1/public-token/exchange`
  })
  afterAll(() => rest[Symbol.asyncDispose]())

  async function exchange({ secretKey }: Linked, publicToken: string) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ publicToken }),
    })
    return { status: response.status, text: await response.text() }
  }

  const issue = (linked: Linked, at = Date.now()) => issuePublicToken(rest.db, linked, at)

  test('is exchanged by exactly one of a hundred concurrent callers; every caller gets a response', async () => {
    const linked = await linkedIn(rest.db)
    const token = await issue(linked)
    const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(linked, token)))
    const [won, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    expect(JSON.parse(String(won?.text))).toMatchObject({ id: linked.id, status: 'connected' })
    const lost = answers.filter(({ status }) => status !== 200)
    expect(lost).toHaveLength(99)
    expect(new Set(lost.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(lost[0]).toMatchObject({ status: 404 })
  })

  test('of another application, expired, used or unknown gives the same not-found error', async () => {
    const [ours, theirs] = [await linkedIn(rest.db), await linkedIn(rest.db)]
    const spent = await issue(ours)
    expect((await exchange(ours, spent)).status).toBe(200)
    const foreign = await issue(theirs)
    const expired = await issue(ours, Date.now() - 30 * MINUTE_MS)
    const unknown = `pub_tkn_${'0'.repeat(32)}`
    const answers = []
    for (const token of [spent, foreign, expired, unknown]) answers.push(await exchange(ours, token))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 404 })
    expect((await exchange(theirs, foreign)).status).toBe(200)
  })

  test('is valid until just before the end of its half hour', async () => {
    const linked = await linkedIn(rest.db)
    const token = await issue(linked, Date.now() - 29 * MINUTE_MS)
    expect((await exchange(linked, token)).status).toBe(200)
  })
})

const KILLS = 3
const TOKENS = 200

describe.each(stores)('public tokens of a killed process on %s', (store) => {
  let home: Home
  let db: Database
  beforeAll(async () => {
    home = await makeHome(store)
    db = await home.open()
    await db.migrate()
  })
  afterAll(async () => {
    await db.close()
    await home.remove()
  })

  /** Runs the process until it has this many responses, and kills it. */
  async function killedAfter(answers: number, linked: Linked, tokens: readonly string[]): Promise<string[]> {
    const place =
      store === 'sqlite'
        ? { sqlitePath: join(home.folder, 'odograph.db') }
        : { mysqlUrl: home.environment['MYSQL_URL'], sqlitePath: '' }
    const child = spawn(
      process.execPath,
      [join(process.cwd(), 'dist/test/prove/public-tokens/exchanger-program.js')],
      {
        env: {
          ...process.env,
          DATABASE: JSON.stringify(place),
          APPLICATION: linked.applicationId,
          TOKENS: tokens.join(' '),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let printed = ''
    child.stdout.on('data', (text) => {
      printed += String(text)
      if (printed.split('\n').length > answers) child.kill('SIGKILL')
    })
    await once(child, 'close')
    return printed.split('\n').filter((line) => tokens.includes(line))
  }

  test('are used up once or not at all, never half', async () => {
    const linked = await linkedIn(db)
    const deps = { db, clock: { now: Date.now } } as unknown as ConnectionCommandDeps
    const caller = keyHolder(linked.applicationId)
    const tokens = []
    for (let made = 0; made < TOKENS; made++) tokens.push(await issuePublicToken(db, linked, Date.now()))

    const answered: string[] = []
    for (let kill = 1; kill <= KILLS; kill++) answered.push(...(await killedAfter(kill * 7, linked, tokens)))
    expect(answered.length).toBeGreaterThanOrEqual(KILLS * 7)

    const spent = await db.rows('SELECT 1 FROM `public_tokens` WHERE `spentAt` IS NOT NULL')
    const remembered = await db.rows("SELECT 1 FROM `audit_log` WHERE `action` = 'public_token.exchanged'")
    expect(remembered).toHaveLength(spent.length)
    expect(spent.length).toBeLessThan(TOKENS)

    for (const publicToken of tokens)
      await exchangePublicToken(deps, caller, { publicToken }).then(
        () => answered.push(publicToken),
        ({ code }: { code: string }) => expect(code).toBe('not_found'),
      )
    expect(new Set(answered).size).toBe(answered.length)
    // Only tokens in flight at a kill may be used up without a response.
    expect(TOKENS - answered.length).toBeLessThanOrEqual(4 * KILLS)
  })
})
