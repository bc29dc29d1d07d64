import { expect, test } from 'vitest'
import { undecryptableRows } from '../../../src/cli/reencrypt.ts'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { stores } from '../../support/database/stores.ts'
import { ENCRYPTION_KEY, ServiceLife, METRICS_TOKEN } from '../../support/secrets/service-life.ts'
import { fleets } from '../../support/secrets/linking-fleets.ts'
import { subscribeWebhooks, useEverything } from '../../support/secrets/use-connections.ts'
import { foundIn, redisOf, rowsOf } from '../../support/secrets/secret-search.ts'

test.each(stores)(
  'a whole life of connections leaves no secret anywhere, on %s',
  { timeout: 600_000 },
  async (store) => {
    await using life = await ServiceLife.start(store)
    await subscribeWebhooks(life)
    const whole = await Promise.all(fleets.map((fleet) => fleet(life)))
    await useEverything(life, whole)

    const secrets = new Map([...life.provider.known, ...life.seeded])
    expect(new Set(secrets.values())).toEqual(
      new Set([
        'API key',
        'a key with a line break',
        'access_token',
        'code',
        'code_verifier',
        'connection token',
        'cookie of a link run',
        'encryption key',
        'header',
        'metrics token',
        'password',
        'public token',
        'refresh_token',
        'secret key',
        'session',
        'session token',
        'signing secret',
        'state of OAuth',
        'token of a link run',
      ]),
    )

    const stored = await rowsOf(life.db)
    expect(stored.find(({ where }) => where === 'raw_records.data')?.text).toContain('… is known')
    const metrics = await fetch(`${life.service.ready.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
    const places = [
      ...stored,
      ...(await redisOf(life.home)),
      { where: 'the log', text: life.service.output() },
      { where: 'the metrics', text: await metrics.text() },
      ...life.responses,
    ]
    const found = foundIn(places, secrets)
    expect(found.join('\n')).toBe('')

    // The integrator's own receiver gets connection tokens in bodies, and its headers, by contract.
    const except = (...names: string[]) => new Map([...secrets].filter(([, name]) => !names.includes(name)))
    const { received } = life.inbox
    const bodies = received.map(({ body }) => ({ where: 'the body of a webhook', text: body }))
    const heads = received.map(({ headers }) => ({ where: 'a webhook', text: JSON.stringify(headers) }))
    expect(foundIn(bodies, except('connection token')).join('\n')).toBe('')
    expect(foundIn(heads, except('header')).join('\n')).toBe('')

    // Every encrypted value is readable in its own row and column.
    const encryption = createEncryption(Buffer.from(ENCRYPTION_KEY, 'base64'))
    expect(await undecryptableRows({ db: life.db, secrets: encryption })).toEqual([])
  },
)
