import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { type ApiClient, dialects } from '../../support/factories.ts'
import { type Application, ConnectionsHarness } from '../../support/harnesses/connections-harness.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

const REMEDY = expect.stringContaining('odograph applications update <id> --allow-sandbox on')

describe.each(dialects)('the sandbox provider in GraphQL on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Creates a production application. */
  async function production(values: Readonly<Record<string, unknown>> = {}): Promise<Application> {
    const application = await harness.application()
    await harness.set('applications', application.id, { environment: 'prod', ...values })
    return application
  }
  const data = async (client: ApiClient, text: string) => (await harness.ask(client, text)).data
  const credentials = { apiKey: 'sandbox-1-1' }

  test.each([
    [null, []],
    [1, ['sandbox']],
  ])('is listed for a production application with `allowsSandbox` %s: %j', async (allowsSandbox, listed) => {
    const { owner } = await production({ allowsSandbox })
    const { providers, provider } = (await data(
      owner,
      '{ providers { code status } provider(code: "sandbox") { status } }',
    )) as { providers: { code: string; status: string }[]; provider: object | null }
    expect(providers.filter(({ status }) => status === 'SANDBOX').map(({ code }) => code)).toEqual(listed)
    expect(providers.map(({ code }) => code)).toContain('verizon')
    expect(provider).toEqual(listed.length > 0 ? { status: 'SANDBOX' } : null)
  })

  test.each([
    ['createConnection', { provider: 'sandbox', credentials }, 'provider'],
    ['createShortLink', { provider: 'sandbox' }, 'provider'],
    ['createShortLink', { providerHints: ['sandbox'] }, 'providerHints'],
  ])('%s with %j is refused in production with a remedy', async (mutation, input, member) => {
    const application = await production()
    expect(await harness.mutate(application.owner, mutation, input, '__typename')).toEqual({
      payload: null,
      code: 'BAD_USER_INPUT',
      message: REMEDY,
      detail: [{ message: REMEDY, path: `input.${member}` }],
    })
    await harness.set('applications', application.id, { allowsSandbox: 1 })
    expect(await harness.mutate(application.owner, mutation, input, '__typename')).toMatchObject({
      code: null,
    })
  })

  test('keeps the earlier connections of a production application, which read it as before', async () => {
    const application = await harness.application()
    const linked = await harness.link(application)
    await harness.set('applications', application.id, { environment: 'prod' })
    await harness.sync(linked)
    const read = '{ connection { provider { code status } } vehicles { totalCount } }'
    expect(await data(linked.client, read)).toEqual({
      connection: { provider: { code: 'sandbox', status: 'SANDBOX' } },
      vehicles: { totalCount: 3 },
    })
    const change = { connectionId: linked.id, status: 'CONNECTED' }
    expect(await harness.mutate(application.owner, 'updateConnection', change, '__typename')).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: REMEDY,
    })
  })
})

describe.each(dialects)('the sandbox provider in REST on %s', (dialect) => {
  let rest: RestHarness
  let owner: ApiClient
  beforeAll(async () => {
    rest = await startRest({ dialect, providers: [sandboxAdapter('http://127.0.0.1:9')] })
    const made = await createApplication(rest.db, { name: 'Test', environment: 'prod', now: Date.now() })
    const { id: applicationId } = made.application
    owner = { applicationId, connectionId: null, secretKey: made.secretKey, token: null }
  })
  afterAll(() => rest[Symbol.asyncDispose]())

  test('is listed without a key, and not with the key of a production application', async () => {
    const listed = async (client: ApiClient | null) => {
      const { body } = await rest.get('/providers', client)
      return (body as { code: string; status: string }[]).filter(({ status }) => status === 'sandbox')
    }
    expect(await listed(null)).toMatchObject([{ code: 'sandbox' }])
    expect(await listed(owner)).toEqual([])
  })

  test('cannot be linked in production', async () => {
    const input = { provider: 'sandbox', credentials: { apiKey: 'sandbox-1-1' } }
    expect(await rest.write('POST', '/connections', owner, input)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', detail: [{ message: REMEDY }] },
    })
  })
})
