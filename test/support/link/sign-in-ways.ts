import type { Walk } from './walkthrough.ts'

/** A way to sign in to the sandbox provider, from the sign-in page to the consent page. */
interface Way {
  readonly name: string
  readonly signIn: (walk: Walk, account: string) => Promise<void>
}

export const byKey: Way = {
  name: 'with a key',
  async signIn(walk, account) {
    await walk.fill('API key', account)
    await walk.press('Continue')
  },
}

export const byPassword: Way = {
  name: 'with user and password',
  async signIn(walk, account) {
    await walk.press('With user name and password')
    await typeIn(walk, account, 'of the tests')
  },
}

export const byOAuth: Way = {
  name: 'by OAuth',
  async signIn(walk, account) {
    await walk.press('On the page of Sandbox')
    await walk.press('Continue to Sandbox')
    await atSandbox(walk, account, 'Allow')
  },
}

export const ways = [byKey, byPassword, byOAuth]

/** Enters user and password on the credentials page. */
export async function typeIn(walk: Walk, user: string, password: string): Promise<void> {
  await walk.fill('User name', user)
  await walk.fill('Password', password)
  await walk.press('Continue')
}

/** Signs in on the provider's own page. */
export async function atSandbox(walk: Walk, account: string, answer: 'Allow' | 'Deny'): Promise<void> {
  await walk.page.waitForURL('**/oauth/authorize?**')
  walk.allowOrigin(walk.page.url())
  await walk.showsHeading('Sign in to Sandbox')
  await walk.fill('User name', account)
  await walk.press(answer)
}

/** Consents and finishes the flow. */
export async function agree(walk: Walk, application: string): Promise<void> {
  await walk.showsHeading(`Share this data with ${application}?`)
  await walk.tick()
  await walk.press('Agree and link')
}
