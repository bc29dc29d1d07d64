import type { Browser } from '../link/http-browser.ts'
import type { AccountBehaviour } from './echoing-provider.ts'
import type { ServiceLife, Linked } from './service-life.ts'

/** Links an account, syncs it, and links it again after the provider has refused it. Each fleet signs in differently. */
export type Fleet = (life: ServiceLife) => Promise<Linked>

const START = '/link/?provider=sandbox&backfill_days=1'

/** Runs the whole life of a linked account, with every fault of the provider. `again` marks the second sign-in. */
async function live(
  life: ServiceLife,
  account: string,
  refusal: AccountBehaviour,
  signIn: (browser: Browser, again: boolean) => Promise<void>,
): Promise<Linked> {
  const { provider } = life
  const begun = await life.begin(START)
  await signIn(begun, false)
  const linked = await life.end(begun)
  await life.synced(linked, 'COMPLETED')

  for (const behaviour of ['garbles', 'forbids'] as const) {
    provider.setBehaviour(account, behaviour)
    await life.synced(linked, 'COMPLETED')
  }
  provider.setBehaviour(account, 'fails')
  const syncId = await life.requestSync(linked)
  await life.waitForState(linked, () => provider.responseCount(account) > 1)
  provider.setBehaviour(account, 'answers')
  await life.waitForState(
    linked,
    ({ lastSync }) => lastSync?.id === syncId && lastSync?.status === 'COMPLETED',
  )

  provider.setBehaviour(account, refusal)
  await life.disconnected(linked)
  provider.setBehaviour(account, 'answers')
  const again = await life.begin(`/link/connection/${linked.id}`)
  await signIn(again, true)
  await life.end(again)
  await life.waitForState(
    linked,
    ({ status, lastSync }) => status === 'CONNECTED' && lastSync?.status === 'COMPLETED',
  )
  return linked
}

/** Signs in with a key, after the provider refused or failed. */
const byKey: Fleet = (life) => {
  const account = 'sandbox-3-1'
  const keys = ['first', 'second'].map((name) =>
    life.provider.addKey(`planted-key/+=${name}-of-a-fleet-that-is-none`, account),
  )
  return live(life, account, 'refuses', async (browser, again) => {
    const apiKey = keys[again ? 1 : 0] ?? ''
    for (const behaviour of ['sends_no_json', 'refuses', 'garbles'] as const) {
      life.provider.setBehaviour(account, behaviour)
      await browser.submit('sign_in', { apiKey })
      if (browser.step === 'consent') await browser.submit('agree', { agreed: 'on' })
      await life.checked(browser)
    }
    life.provider.setBehaviour(account, 'answers')
    if (browser.step === 'sign_in') await browser.submit('sign_in', { apiKey })
    else await browser.submit('check')
  })
}

const byPassword: Fleet = (life) => {
  const account = 'sandbox-3-2'
  const passwords = ['first', 'second'].map((name) =>
    life.seed(`${name} pl"nted p\\ss/wörd+of 1% nobody`, 'password'),
  )
  return live(life, account, 'refuses_records', async (browser, again) => {
    await browser.submit('way', { way: 'password' })
    await browser.submit('sign_in', { user: account, password: passwords[again ? 1 : 0] ?? '' })
  })
}

const byOAuth: Fleet = (life) => {
  const account = 'sandbox-3-3'
  return live(life, account, 'refuses', async (browser) => {
    await browser.submit('way', { way: 'oauth' })
    await browser.submit('oauth')
    const [, cookie = ''] = /^[^=]+=([^;]+)/.exec(browser.page.headers.get('set-cookie') ?? '') ?? []
    life.seed(cookie.split('.')[0] ?? '', 'cookie of a link run')
    const authorize = browser.externalRedirect!
    life.seed(authorize.searchParams.get('state') ?? '', 'state of OAuth')
    const body = new URLSearchParams([...authorize.searchParams, ['user', account], ['decision', 'allow']])
    const answer = await fetch(authorize, { method: 'POST', body, redirect: 'manual' })
    await browser.open(answer.headers.get('location') ?? '')
  })
}

export const fleets: readonly Fleet[] = [byKey, byPassword, byOAuth]
