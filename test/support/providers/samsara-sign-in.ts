import type { ProviderAdapter, ProviderCredentials } from '../../../src/providers/provider.ts'
import { samsaraAdapter } from '../../../src/providers/samsara/adapter.ts'
import { samsara } from './subjects/samsara-subject.ts'
import { signedInAs } from './provider-sign-in.ts'
import type { SyncedSubject } from './subjects/subject.ts'

/** Fleets that sign in at Samsara by OAuth, where the service is registered. */
export const byOAuth: SyncedSubject = {
  ...samsara,
  adapter: (url, clock, limiterFor) =>
    samsaraAdapter(limiterFor, {
      regions: { us: url, eu: url, ca: url },
      application: { clientId: 'fake-client', clientSecret: 'fake-client-secret' },
      clock,
    }),
}

/** Signs in on Samsara's page, and exchanges the code for credentials. */
export const signIn = (adapter: ProviderAdapter, organization: number): Promise<ProviderCredentials> =>
  signedInAs({ organization: String(organization) }, adapter)
