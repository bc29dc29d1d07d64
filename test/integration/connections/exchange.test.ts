import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issuePublicToken } from '../../../src/subgraphs/connections/tokens/issue-public-token.ts'
import { dialects } from '../../support/factories.ts'
import { MINUTE } from '../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const SELECTED = 'connection { id token status provider { code } linkUrl agreements { id } }'

describe.each(dialects)('exchanging a public token on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const issue = (linked: Linked) => issuePublicToken(harness.db, linked, harness.tools.clock.now())
  const exchange = (client: Linked['owner'], publicToken: string) =>
    harness.mutate(client, 'exchangePublicToken', { publicToken }, SELECTED)

  test('returns the connection with its token, once', async () => {
    const linked = await harness.link()
    const token = await issue(linked)
    const { payload } = await exchange(linked.owner, token)
    expect(payload.connection).toMatchObject({
      id: linked.id,
      token: linked.client.token,
      status: 'CONNECTED',
      provider: { code: 'sandbox' },
    })
    expect(await exchange(linked.owner, token)).toMatchObject({ payload: null, code: 'NOT_FOUND' })
  })

  test('succeeds for one of a hundred concurrent calls', async () => {
    const linked = await harness.link()
    const token = await issue(linked)
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => exchange(linked.owner, token)))
    const codes = outcomes.map(({ code }) => code)
    expect(codes.filter((code) => code === null)).toHaveLength(1)
    expect(codes.filter((code) => code === 'NOT_FOUND')).toHaveLength(99)
  })

  test('fails the same way for a spent, an expired, an unknown and a foreign token', async () => {
    const [ours, theirs] = [await harness.link(), await harness.link()]
    const spent = await issue(ours)
    await exchange(ours.owner, spent)
    const expired = await issue(ours)
    harness.moveClock(30 * MINUTE)
    const foreign = await issue(theirs)
    const unknown = `pub_tkn_${'0'.repeat(32)}`
    const answers = await Promise.all(
      [spent, expired, foreign, unknown].map((token) => exchange(ours.owner, token)),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ payload: null, code: 'NOT_FOUND' })
    expect(await exchange(theirs.owner, foreign)).toMatchObject({ code: null })
  })

  test('refuses an invalid public token, and names the field', async () => {
    const { owner } = await harness.link()
    for (const text of ['', 'pub_tkn_', 'con_tkn_abc', 'pub_tkn_a b', 'x'.repeat(10_000)])
      expect(await exchange(owner, text)).toMatchObject({
        code: 'BAD_USER_INPUT',
        detail: [{ path: 'input.publicToken' }],
      })
  })

  test('with a connection token returns only that connection', async () => {
    const application = await harness.application()
    const [one, other] = [await harness.link(application), await harness.link(application)]
    const token = await issue(other)
    expect(await exchange(one.client, token)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await exchange(other.client, token)).toMatchObject({ code: null })
  })

  test('stores no token in readable form', async () => {
    const linked = await harness.link()
    const token = await issue(linked)
    const rows = await harness.db.rows('SELECT * FROM `public_tokens`')
    expect(JSON.stringify(rows)).not.toContain(token.slice('pub_tkn_'.length))
  })
})
