import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Application, ConnectionsHarness } from '../../support/harnesses/connections-harness.ts'

describe('the listed providers', () => {
  let harness: ConnectionsHarness
  let application: Application

  beforeAll(async () => {
    harness = await ConnectionsHarness.start('sqlite')
    application = await harness.application()
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  test('are the linkable providers, then the others', async () => {
    const { data } = await harness.ask(application.owner, '{ providers { code isLinkable status } }')
    const [first, ...others] = (data as { providers: { code: string }[] }).providers
    expect(first).toEqual({ code: 'sandbox', isLinkable: true, status: 'SANDBOX' })
    expect(others.map(({ code }) => code)).toContain('verizon')
    expect(others).toEqual(others.map(({ code }) => ({ code, isLinkable: false, status: 'BETA' })))
  })

  test('are found by their codes; other codes are null', async () => {
    const { data } = await harness.ask(
      application.owner,
      `{
        sandbox: provider(code: "sandbox") { isLinkable }
        verizon: provider(code: "verizon") { name isLinkable models { read } references { type url } }
        unlisted: provider(code: "unlisted") { name }
        nobody: provider(code: "nobody") { name }
      }`,
    )
    expect(data).toEqual({
      sandbox: { isLinkable: true },
      verizon: {
        name: 'Verizon Connect',
        isLinkable: false,
        models: Array.from({ length: 18 }, () => ({ read: 'NOT_SUPPORTED' })),
        references: [
          { type: 'login-page', url: 'https://login.us.vzconnect.com/' },
          { type: 'developer-docs', url: expect.stringContaining('verizonconnect.com') },
        ],
      },
      unlisted: null,
      nobody: null,
    })
  })

  test('filter the list of connections', async () => {
    await harness.link(application)
    const counts =
      '{ linked: connections(provider: "sandbox") { totalCount } listed: connections(provider: "verizon") { totalCount } }'
    const { data } = await harness.ask(application.owner, counts)
    expect(data).toEqual({ linked: { totalCount: 1 }, listed: { totalCount: 0 } })
  })
})
