import { z } from 'zod'
import { addressRanges, oneOf, providerBudgets, providerUrls } from './setting-parsers.ts'

/** What there is to be said of providers. */
export const providerSettings = {
  providerBudgets: {
    variable: 'PROVIDER_BUDGETS',
    schema: providerBudgets,
    default: '',
    description:
      'most requests to a provider in all, where that is less than it permits, as sandbox=10/s,samsara=600/min',
  },
  providerUrls: {
    variable: 'PROVIDER_URLS',
    schema: providerUrls,
    default: '',
    description: 'where providers are reached, if not at their own addresses, as samsara=http://host:port',
  },
  providerAllow: {
    variable: 'PROVIDER_ALLOW',
    schema: addressRanges,
    default: '',
    description:
      "private addresses that fleets' own servers (Traccar) may have, as 10.1.0.0/16,127.0.0.1; without it only public ones",
  },
  providerHttp: {
    variable: 'PROVIDER_HTTP',
    schema: oneOf(['on', 'off']),
    default: 'off',
    description:
      "on: fleets' own servers may be spoken to by http:// everywhere; off: by https://, and by http:// only at addresses in PROVIDER_ALLOW",
  },
  samsaraClientId: {
    variable: 'SAMSARA_CLIENT_ID',
    schema: z.string().min(1),
    description: 'the application that you registered at Samsara, with which fleets can sign in there',
  },
  samsaraClientSecret: {
    variable: 'SAMSARA_CLIENT_SECRET',
    schema: z.string().min(1),
    description: "that application's secret",
  },
  samsaraRegion: {
    variable: 'SAMSARA_REGION',
    schema: oneOf(['us', 'eu', 'ca']),
    default: 'us',
    description: 'the region in which it is registered',
  },
  motiveClientId: {
    variable: 'MOTIVE_CLIENT_ID',
    schema: z.string().min(1),
    description: 'the application that you registered at Motive, with which fleets can sign in there',
  },
  motiveClientSecret: {
    variable: 'MOTIVE_CLIENT_SECRET',
    schema: z.string().min(1),
    description: "that application's secret",
  },
}
